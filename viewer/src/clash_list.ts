/* The list of clashes, with search, sorting and navigation. The clashes of each pair of objects are a group.
 *
 * Workload: usually dozens, sometimes 10^5; a window of the list around the selected clash has rows. */
import { element } from './dom';
import { objectColor } from './palette';
import type { Clash, Frame } from './record';
import { counted, grouped, measured } from './words';

export type Order = 'pairs' | 'depth' | 'objects' | 'distance';

/* The clashes of two objects. A group with a heading can be collapsed. */
interface Group {
  key: string;
  clashes: Clash[];
  pairCount: number;
  depth: number;
  hasHeading: boolean;
}

/* A heading, or a clash. */
interface Line {
  group: Group;
  clash: Clash | null;
}

const ROWS = 150;

function keyOf(clash: Clash): string {
  return clash.a + '-' + clash.b;
}

export class ClashList {
  readonly root: HTMLElement;
  private readonly list = element('ol', { class: 'clashes', 'aria-label': 'Clashes' });
  private readonly search: HTMLInputElement;
  private readonly order: HTMLSelectElement;
  private readonly summary = element('p', { class: 'quiet', role: 'status' });
  private readonly earlier: HTMLButtonElement;
  private readonly later: HTMLButtonElement;
  private frame: Frame | null = null;
  private clashes: Clash[] = []; /* including objects inside others */
  private none = '';
  private shown: Clash[] = [];
  private groups: Group[] = [];
  private lines: Line[] = [];
  private first = 0; /* of the lines that have rows */
  private readonly opened = new Map<string, boolean>(); /* groups that were opened or collapsed */
  private chosen: string | null = null;
  private units = '';

  constructor(private readonly choose: (clash: Clash | null) => void) {
    this.search = element('input', {
      type: 'search', placeholder: 'Search objects or kinds', 'aria-label': 'Search clashes', oninput: () => this.refresh(),
    });
    this.order = element('select', { 'aria-label': 'Sort order', onchange: () => this.refresh() });
    this.earlier = element('button', { class: 'wide', type: 'button', onclick: () => this.turn(-ROWS) }, 'Show the previous rows');
    this.later = element('button', { class: 'wide', type: 'button', onclick: () => this.turn(ROWS) }, 'Show the next rows');
    this.root = element('div', { class: 'sheet' },
      element('div', { class: 'filters' }, this.search, this.order), this.summary, this.earlier, this.list, this.later);
  }

  /* `none` is shown if there are no clashes. */
  show(frame: Frame, clashes: Clash[], units: string, none: string): void {
    this.frame = frame;
    this.clashes = clashes;
    this.none = none;
    this.units = units === '' ? '' : ' ' + units;
    const orders: [Order, string][] = [['pairs', 'Most pairs'], ['objects', 'By objects']];
    if (clashes.some((clash) => clash.depth !== null)) orders.splice(1, 0, ['depth', 'Deepest']);
    if (frame.distances !== null) orders.unshift(['distance', 'Nearest']);
    const before = this.order.value;
    this.order.replaceChildren(...orders.map(([value, words]) => element('option', { value }, words)));
    if (orders.some(([value]) => value === before)) this.order.value = before;
    this.refresh();
  }

  private compare(a: Clash, b: Clash): number {
    switch (this.order.value as Order) {
      case 'pairs': return b.pairCount - a.pairCount || a.index - b.index;
      case 'depth': return (b.depth ?? 0) - (a.depth ?? 0) || a.index - b.index;
      case 'distance': return (a.distance ?? 0) - (b.distance ?? 0) || a.index - b.index;
      default: return a.index - b.index;
    }
  }

  private matches(clash: Clash, wanted: string): boolean {
    if (wanted === '') return true;
    const objects = this.frame!.objects;
    return [objects[clash.a].label, objects[clash.b].label, clash.kind].some((text) => text.toLowerCase().includes(wanted));
  }

  /* Groups are in the order of their first clash, or of their pairs. A clash that is alone has no heading, and neither
   * has the only group. */
  private group(): void {
    const groups = new Map<string, Group>();
    for (const clash of this.shown) {
      const key = keyOf(clash);
      let group = groups.get(key);
      if (group === undefined)
        groups.set(key, (group = { key, clashes: [], pairCount: 0, depth: this.frame!.objectDepths.get(key) ?? 0, hasHeading: false }));
      group.clashes.push(clash);
      group.pairCount += clash.pairCount;
    }
    this.groups = [...groups.values()];
    for (const group of this.groups) {
      group.hasHeading = groups.size > 1 && group.clashes.length > 1;
      if (group.depth === 0) group.depth = group.clashes.reduce((most, clash) => Math.max(most, clash.depth ?? 0), 0);
    }
    if (this.order.value === 'pairs') this.groups.sort((a, b) => b.pairCount - a.pairCount);
    this.shown = this.groups.flatMap((group) => group.clashes);
  }

  private refresh(): void {
    if (this.frame === null) return;
    const wanted = this.search.value.trim().toLowerCase();
    this.shown = this.clashes.filter((clash) => this.matches(clash, wanted)).sort((a, b) => this.compare(a, b));
    this.group();
    this.first = 0;
    this.summary.textContent =
      this.shown.length === this.clashes.length
        ? ''
        : grouped(this.shown.length) + ' of ' + counted(this.clashes.length, 'clash', 'clashes');
    this.draw();
  }

  /* Groups of a long list are collapsed until they are opened, or one of their clashes is selected. */
  private isOpen(group: Group): boolean {
    return !group.hasHeading || (this.opened.get(group.key) ?? this.shown.length <= ROWS);
  }

  private toggle(group: Group): void {
    this.opened.set(group.key, !this.isOpen(group));
    this.draw();
  }

  private turn(by: number): void {
    this.first += by;
    this.draw();
    const rows = this.list.querySelectorAll('button');
    rows[by > 0 ? 0 : rows.length - 1]?.focus();
  }

  private facts(clash: Clash): string {
    if (clash.inside !== undefined) {
      const { insideCount, primitiveCount } = clash.inside;
      return grouped(insideCount) + ' of ' + counted(primitiveCount, 'primitive') + ' inside';
    }
    const facts = [counted(clash.pairCount, 'pair')];
    if (clash.depth !== null && clash.depth > 0) facts.push('depth ' + measured(clash.depth) + this.units);
    if (clash.distance !== null) facts.push(clash.distance === 0 ? 'intersecting' : measured(clash.distance) + this.units + ' apart');
    return facts.join(' · ');
  }

  private names({ a, b }: Clash): HTMLElement {
    const objects = this.frame!.objects;
    const names = (a === b ? [a] : [a, b]).map((index) => {
      const dot = element('span', { class: 'dot' });
      dot.style.background = objects[index].color ?? objectColor(index);
      return element('span', { class: 'name' }, dot, objects[index].label);
    });
    if (a === b) names.push(element('span', { class: 'quiet' }, 'with itself'));
    return element('span', { class: 'names' }, ...names);
  }

  private makeHeading(group: Group): HTMLElement {
    const facts = [counted(group.clashes.length, 'clash', 'clashes'), counted(group.pairCount, 'pair')];
    if (group.depth > 0) facts.push('depth ' + measured(group.depth) + this.units);
    return element('li', {},
      element('button', { type: 'button', class: 'clash-group', 'data-group': group.key, 'aria-expanded': String(this.isOpen(group)), onclick: () => this.toggle(group) },
        this.names(group.clashes[0]), element('span', { class: 'facts' }, facts.join(' · '))));
  }

  private makeRow({ group, clash }: Line): HTMLElement {
    if (clash === null) return this.makeHeading(group);
    return element('li', { class: group.hasHeading ? 'grouped' : undefined },
      element('button', {
        type: 'button', class: 'clash', 'data-clash': clash.id, 'aria-current': clash.id === this.chosen ? 'true' : 'false',
        onclick: () => this.pick(clash),
      },
        element('span', { class: 'kind kind-' + clash.kind }, clash.kind || 'pairs'),
        !group.hasHeading && this.names(clash),
        element('span', { class: 'facts' }, this.facts(clash))));
  }

  private draw(): void {
    const focused = this.list.contains(document.activeElement) ? { ...(document.activeElement as HTMLElement).dataset } : null;
    this.lines = this.groups.flatMap((group) => [
      ...(group.hasHeading ? [{ group, clash: null }] : []), ...(this.isOpen(group) ? group.clashes.map((clash) => ({ group, clash })) : []),
    ]);
    this.first = Math.max(0, Math.min(this.first, this.lines.length - ROWS));
    const rows = this.lines.slice(this.first, this.first + ROWS);
    if (rows.length > 0 && rows[0].clash !== null && rows[0].group.hasHeading) rows.unshift({ group: rows[0].group, clash: null });
    this.list.replaceChildren(...rows.map((line) => this.makeRow(line)));
    this.earlier.hidden = this.first === 0;
    this.later.hidden = this.first + ROWS >= this.lines.length;
    if (this.shown.length === 0)
      this.list.append(element('li', { class: 'empty' }, this.clashes.length === 0 ? this.none : 'No matching clashes.'));
    if (focused === null) return;
    const again = [...this.list.querySelectorAll('button')].find(({ dataset }) => dataset.clash === focused.clash && dataset.group === focused.group);
    (again ?? this.list.querySelector<HTMLElement>('[aria-current=true]'))?.focus({ preventScroll: true });
  }

  private pick(clash: Clash): void {
    this.mark(clash.id === this.chosen ? null : clash);
    this.choose(this.chosen === null ? null : clash);
  }

  /* Marks a row, opens its group and moves the window to it, without notifying the page. */
  mark(clash: Clash | null): void {
    this.chosen = clash === null ? null : clash.id;
    const group = clash === null ? undefined : this.groups.find(({ key }) => key === keyOf(clash));
    if (group !== undefined && !this.isOpen(group)) this.toggle(group);
    const place = clash === null ? -1 : this.lines.findIndex((line) => line.clash?.id === clash.id);
    if (place >= 0 && (place < this.first || place >= this.first + ROWS)) {
      this.first = place - (ROWS >> 1);
      this.draw();
    }
    for (const row of this.list.querySelectorAll<HTMLElement>('.clash')) {
      const current = row.dataset.clash === this.chosen;
      row.setAttribute('aria-current', String(current));
      if (current) row.scrollIntoView({ block: 'nearest' });
    }
  }

  find(id: string): Clash | null {
    return this.clashes.find((clash) => clash.id === id) ?? null;
  }

  /* Selects the next or previous clash in list order, wrapping around. */
  step(by: 1 | -1): void {
    if (this.shown.length === 0) return;
    const place = this.shown.findIndex((clash) => clash.id === this.chosen);
    const next = place < 0 ? (by > 0 ? 0 : this.shown.length - 1) : (place + by + this.shown.length) % this.shown.length;
    this.mark(this.shown[next]);
    this.choose(this.shown[next]);
  }
}
