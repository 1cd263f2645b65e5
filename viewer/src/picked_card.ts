/* The card of the clicked primitive: its object, number, corners and partners. */
import { element, icon, icons } from './dom';
import { type Clash, facesOf, type Frame, primitiveVertices, type Vector, vertexOf } from './record';
import { counted } from './words';

const PARTNERS = 40, CORNERS = 12;

export interface PickedPlace {
  object: number;
  primitive: number;
}

export function cornersOf(frame: Frame, at: PickedPlace): Vector[] {
  const object = frame.objects[at.object];
  return primitiveVertices(object, at.primitive).map((vertex) => vertexOf(object, vertex, [0, 0, 0]));
}

/* Returns the ends of the edges of the faces of a primitive: two points for each edge. Polygons that are stored as
 * triangles have the edges of one triangle only. */
export function edgesOf(frame: Frame, at: PickedPlace): Vector[] {
  const object = frame.objects[at.object];
  const edges = new Map<string, { ends: [number, number]; count: number }>();
  for (const face of facesOf(object, at.primitive))
    for (let i = 0; i < face.length; ++i) {
      const ends: [number, number] = [face[i], face[(i + 1) % face.length]];
      const key = Math.min(...ends) + '-' + Math.max(...ends);
      const known = edges.get(key);
      if (known === undefined) edges.set(key, { ends, count: 1 });
      else ++known.count;
    }
  const isCut = object.kind === 'polygon' && object.display !== undefined;
  return [...edges.values()].filter(({ count }) => !isCut || count === 1).flatMap(({ ends }) => ends)
    .map((vertex) => vertexOf(object, vertex, [0, 0, 0]));
}

/* Returns the other primitive of each of its pairs, with the pair number. */
export function partnersOf(frame: Frame, at: PickedPlace): (PickedPlace & { pair: number })[] {
  const found: (PickedPlace & { pair: number })[] = [];
  const pairs = frame.pairs;
  for (let i = 0; i < pairs.length; i += 4) {
    if (pairs[i] === at.object && pairs[i + 1] === at.primitive)
      found.push({ object: pairs[i + 2], primitive: pairs[i + 3], pair: i / 4 });
    else if (pairs[i + 2] === at.object && pairs[i + 3] === at.primitive)
      found.push({ object: pairs[i], primitive: pairs[i + 1], pair: i / 4 });
  }
  return found;
}

export class PickedCard {
  readonly root = element('section', { class: 'card', 'aria-label': 'Picked primitive', hidden: true });

  constructor(
    private readonly words: string[],
    public rounded: boolean,
    private readonly showsPartners: boolean,
    private readonly pick: (at: PickedPlace | null) => void,
    private readonly chooseClash: (clash: Clash) => void,
  ) {}

  show(frame: Frame | null, at: PickedPlace | null): void {
    this.root.hidden = frame === null || at === null;
    if (frame === null || at === null) return;
    const object = frame.objects[at.object];
    const corners = cornersOf(frame, at);
    const partners = partnersOf(frame, at);
    const hasFocus = this.root.contains(document.activeElement);
    const heading = element('h2', { tabindex: -1 }, object.kind[0].toUpperCase() + object.kind.slice(1) + ' ' + (object.numbers?.[at.primitive] ?? at.primitive));
    this.root.replaceChildren(
      element('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.pick(null) }, icon(icons.close)),
      heading,
      element('p', { class: 'name' }, object.label),
      this.coordinates(corners),
      ...(object.kind === 'sphere' ? [element('p', { class: 'number' }, 'radius ' + object.radii![at.primitive])] : []),
      ...(this.rounded ? [element('p', { class: 'quiet' }, 'Rounded to single precision.')] : []),
      ...(frame.crowding === null ? [] : [element('p', { class: 'quiet' },
        'k is ' + frame.crowding.k[at.primitive] + ', ' + counted(frame.crowding.neighbors[at.primitive], 'mesh neighbor'))]),
      ...(!this.showsPartners ? [] : [
        element('p', { class: 'quiet' }, partners.length === 0 ? 'No partners' : counted(partners.length, 'partner')),
        this.partners(frame, partners)]));
    if (hasFocus) heading.focus();
  }

  private coordinates(corners: Vector[]): HTMLElement {
    const rows = corners.slice(0, CORNERS).map((corner) =>
      element('tr', {}, ...corner.map((value) => element('td', {}, String(value)))));
    if (corners.length > CORNERS) rows.push(element('tr', {}, element('td', { colspan: 3 }, '...')));
    return element('table', { class: 'coordinates' },
      element('thead', {}, element('tr', {}, ...['x', 'y', 'z'].map((axis) => element('th', { scope: 'col' }, axis)))),
      element('tbody', {}, ...rows));
  }

  private partners(frame: Frame, partners: (PickedPlace & { pair: number })[]): HTMLElement {
    const rows = partners.slice(0, PARTNERS).map((partner) => {
      const kind = frame.kinds === null ? '' : ' ' + this.words[frame.kinds[partner.pair]];
      return element('li', {},
        element('button', { type: 'button', class: 'link', onclick: () => this.pick(partner) },
          frame.objects[partner.object].kind + ' ' + partner.primitive), kind + ' · ' + frame.objects[partner.object].label);
    });
    if (partners.length > PARTNERS) rows.push(element('li', { class: 'quiet' }, 'and ' + counted(partners.length - PARTNERS, 'more', 'more')));
    const clash = partners.length === 0 ? undefined : frame.clashes.find((one) =>
      partners[0].pair >= one.firstPair && partners[0].pair < one.firstPair + one.pairCount);
    return element('div', {}, element('ul', { class: 'partners' }, ...rows),
      clash !== undefined && element('button', { type: 'button', class: 'wide', onclick: () => this.chooseClash(clash) }, 'Show clash'));
  }
}
