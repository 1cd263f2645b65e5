/* A histogram as a table: each row has a value, a bar and the number of primitives with this value. Clicking a row
 * selects its primitives. */
import { type Bin, binsOf } from './crowding';
import { element } from './dom';
import { grouped } from './words';

const BINS = 24;

export class Histogram {
  readonly root = element('table', { class: 'histogram' });
  private chosen: Bin | null = null;

  constructor(private readonly caption: string, private readonly column: string, private readonly select: (bin: Bin | null) => void) {}

  /* Values of at least `marked` have the color of marks. */
  show(values: Uint32Array[], marked = Infinity): void {
    const bins = binsOf(values, BINS);
    const most = Math.max(...bins.map((bin) => bin.count), 1);
    this.chosen = null;
    this.root.replaceChildren(
      element('caption', {}, this.caption),
      element('thead', {}, element('tr', {}, ...[this.column, 'share', 'primitives'].map((name) => element('th', { scope: 'col' }, name)))),
      element('tbody', {}, ...bins.map((bin) => this.row(bin, most, bin.low >= marked))));
  }

  private row(bin: Bin, most: number, marked: boolean): HTMLElement {
    const words = bin.low === bin.high ? grouped(bin.low) : grouped(bin.low) + ' to ' + grouped(bin.high);
    const button = element('button', { type: 'button', class: 'link', 'aria-pressed': 'false', title: 'Select these primitives', onclick: () => this.press(bin) }, words);
    const bar = element('span', { class: marked ? 'bar marked' : 'bar' });
    bar.style.width = (bin.count === 0 ? 0 : Math.max(1, (100 * bin.count) / most)) + '%';
    if (bin.count === 0) bar.style.minWidth = '0';
    return element('tr', { onclick: (event: MouseEvent) => event.target !== button && this.press(bin), 'data-low': bin.low },
      element('th', { scope: 'row' }, button), element('td', { class: 'bar-cell' }, bar), element('td', { class: 'number' }, grouped(bin.count)));
  }

  private press(bin: Bin): void {
    this.mark(this.chosen?.low === bin.low ? null : bin);
    this.select(this.chosen);
  }

  /* Marks a row without notifying the page. */
  mark(bin: Bin | null): void {
    this.chosen = bin;
    for (const row of this.root.querySelectorAll<HTMLElement>('tbody tr')) {
      const pressed = bin !== null && Number(row.dataset.low) === bin.low;
      row.classList.toggle('chosen', pressed);
      row.querySelector('button')!.setAttribute('aria-pressed', String(pressed));
    }
  }
}
