/* The list of clashes, with search, sorting and navigation.
 *
 * Workload: usually dozens, sometimes 10^5; only part of a long list has rows until the user requests more. */
import { element } from './dom';
import { objectColor } from './palette';
import type { Clash, Frame } from './record';
import { counted, grouped, measured } from './words';

export type Order = 'pairs' | 'depth' | 'objects' | 'distance';

const ROWS = 150;

export class ClashList {
  readonly root: HTMLElement;
  private readonly list = element('ol', { class: 'clashes', 'aria-label': 'Clashes' });
  private readonly search: HTMLInputElement;
  private readonly order: HTMLSelectElement;
  private readonly summary = element('p', { class: 'quiet', role: 'status' });
  private readonly more: HTMLButtonElement;
  private frame: Frame | null = null;
  private shown: Clash[] = [];
  private limit = ROWS;
  private chosen: string | null = null;
  private units = '';

  constructor(private readonly choose: (clash: Clash | null) => void) {
    this.search = element('input', {
      type: 'search', placeholder: 'Search objects or kinds', 'aria-label': 'Search clashes', oninput: () => this.refresh(),
    });
    this.order = element('select', { 'aria-label': 'Sort order', onchange: () => this.refresh() });
    this.more = element('button', { class: 'wide', type: 'button', onclick: () => this.showMore() }, 'Show more');
    this.root = element('div', { class: 'sheet' },
      element('div', { class: 'filters' }, this.search, this.order), this.summary, this.list, this.more);
  }

  show(frame: Frame, units: string): void {
    this.frame = frame;
    this.units = units;
    const orders: [Order, string][] = [['pairs', 'Most pairs'], ['objects', 'By objects']];
    if (frame.clashes.some((clash) => clash.depth !== null)) orders.splice(1, 0, ['depth', 'Deepest']);
    if (frame.distances !== null) orders.unshift(['distance', 'Nearest']);
    const before = this.order.value;
    this.order.replaceChildren(...orders.map(([value, words]) => element('option', { value }, words)));
    if (orders.some(([value]) => value === before)) this.order.value = before;
    this.refresh();
  }

  get count(): number {
    return this.shown.length;
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

  private refresh(): void {
    const frame = this.frame;
    if (frame === null) return;
    const wanted = this.search.value.trim().toLowerCase();
    this.shown = frame.clashes.filter((clash) => this.matches(clash, wanted)).sort((a, b) => this.compare(a, b));
    this.limit = ROWS;
    this.summary.textContent =
      this.shown.length === frame.clashes.length
        ? ''
        : grouped(this.shown.length) + ' of ' + counted(frame.clashes.length, 'clash', 'clashes');
    this.draw();
  }

  private showMore(): void {
    this.limit += ROWS;
    this.draw();
  }

  private facts(clash: Clash): string {
    const units = this.units === '' ? '' : ' ' + this.units;
    const facts = [counted(clash.pairCount, 'pair')];
    if (clash.depth !== null && clash.depth > 0) facts.push('depth ' + measured(clash.depth) + units);
    if (clash.distance !== null) facts.push(clash.distance === 0 ? 'intersecting' : measured(clash.distance) + units + ' apart');
    return facts.join(' · ');
  }

  private makeRow(clash: Clash): HTMLElement {
    const objects = this.frame!.objects;
    const names = (clash.a === clash.b ? [clash.a] : [clash.a, clash.b]).map((index) => {
      const dot = element('span', { class: 'dot' });
      dot.style.background = objects[index].color ?? objectColor(index);
      return element('span', { class: 'name' }, dot, objects[index].label);
    });
    if (clash.a === clash.b) names.push(element('span', { class: 'quiet' }, 'with itself'));
    return element('li', {},
      element('button', {
        type: 'button', class: 'clash', 'data-clash': clash.id, 'aria-current': clash.id === this.chosen ? 'true' : 'false',
        onclick: () => this.pick(clash),
      },
        element('span', { class: 'kind kind-' + clash.kind }, clash.kind || 'pairs'),
        element('span', { class: 'names' }, ...names),
        element('span', { class: 'facts' }, this.facts(clash))));
  }

  private draw(): void {
    this.list.replaceChildren(...this.shown.slice(0, this.limit).map((clash) => this.makeRow(clash)));
    this.more.hidden = this.shown.length <= this.limit;
    this.more.textContent = 'Show ' + grouped(Math.min(ROWS, this.shown.length - this.limit)) + ' more';
    if (this.shown.length > 0) return;
    const none = this.frame!.clashes.length === 0 ? 'Nothing intersects.' : 'No matching clashes.';
    this.list.append(element('li', { class: 'empty' }, none));
  }

  private pick(clash: Clash): void {
    this.mark(clash.id === this.chosen ? null : clash);
    this.choose(this.chosen === null ? null : clash);
  }

  /* Marks a row without notifying the page. */
  mark(clash: Clash | null): void {
    this.chosen = clash === null ? null : clash.id;
    const place = clash === null ? -1 : this.shown.findIndex((one) => one.id === clash.id);
    if (place >= this.limit) {
      this.limit = place + ROWS;
      this.draw();
    }
    for (const row of this.list.querySelectorAll<HTMLElement>('.clash')) {
      const current = row.dataset.clash === this.chosen;
      row.setAttribute('aria-current', String(current));
      if (current) row.scrollIntoView({ block: 'nearest' });
    }
  }

  find(id: string): Clash | null {
    return this.frame?.clashes.find((clash) => clash.id === id) ?? null;
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
