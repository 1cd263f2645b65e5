/* The filled share of the volume against the number of spheres, as a curve on a logarithmic axis and as a table. */
import { drawing, element } from './dom';
import { grouped } from './words';

const WIDTH = 330, HEIGHT = 210, LEFT = 42, BOTTOM = 34, TOP = 10, RIGHT = 12;

function percent(part: number): string {
  return (100 * part).toFixed(part < 0.1 ? 2 : 1) + ' %';
}

export class FillingSheet {
  readonly root: HTMLElement;

  /* `filled[i]`: the share that the first i spheres fill. */
  constructor(private readonly filled: Float64Array) {
    const count = filled.length - 1;
    const powers = Array.from({ length: Math.ceil(Math.log10(Math.max(count, 1))) }, (_, i) => 10 ** i);
    this.root = element('div', { class: 'sheet' }, this.curve(powers),
      element('table', { class: 'data' }, element('caption', {}, 'Share filled by the largest spheres'),
        element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'spheres'), element('th', { scope: 'col' }, 'filled'))),
        element('tbody', {}, ...[...powers, count].map((spheres) => element('tr', {},
          element('th', { scope: 'row' }, grouped(spheres)), element('td', {}, percent(filled[spheres])))))));
  }

  private curve(powers: number[]): SVGElement {
    const count = this.filled.length - 1;
    const span = Math.log10(Math.max(count, 10));
    const x = (spheres: number) => LEFT + (Math.log10(spheres) / span) * (WIDTH - LEFT - RIGHT);
    const y = (part: number) => HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    const points: string[] = [];
    for (let at = 1; at <= count; at = Math.max(at + 1, Math.round(at * 1.03))) points.push(x(at).toFixed(1) + ',' + y(this.filled[at]).toFixed(1));
    points.push(x(Math.max(count, 1)).toFixed(1) + ',' + y(this.filled[count]).toFixed(1));
    const text = (left: number, top: number, anchor: string, words: string) =>
      drawing('text', { x: left, y: top, 'text-anchor': anchor }, words);
    return drawing('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'curve', role: 'img', 'aria-label': 'Filled share of the volume against the number of spheres' },
      ...[0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
        drawing('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(part), y2: y(part), class: 'grid' }), text(LEFT - 6, y(part) + 4, 'end', 100 * part + ' %')]),
      ...powers.concat(10 ** Math.ceil(span)).filter((power) => power <= Math.max(count, 10)).map((power) => text(x(power), HEIGHT - BOTTOM + 16, 'middle', grouped(power))),
      text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 3, 'middle', 'spheres'),
      drawing('polyline', { points: points.join(' ') }));
  }
}
