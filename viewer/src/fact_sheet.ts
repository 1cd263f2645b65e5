/* The numbers of a frame: the hash, the method, the time of each stage and the counters. */
import { element } from './dom';
import { stageColors } from './palette';
import { type Frame, isEntire, type PageRecord } from './record';
import { resultRows } from './result_facts';
import { counted, grouped, measured, milliseconds } from './words';

const ROWS = 20;

type Row = [string, string];

/* Returns how many objects lie inside others, each counted once; '' if none. */
export function insideWords(frame: Frame): string {
  const count = new Set(frame.containments.map((one) => one.inner)).size;
  return count === 0 ? '' : counted(count, 'object') + (count === 1 ? ' lies' : ' lie') + ' inside another';
}

export class FactSheet {
  readonly root = element('div', { class: 'sheet facts-sheet' });

  constructor(private record: PageRecord) {}

  setRecord(record: PageRecord): void {
    this.record = record;
  }

  /* Returns a row for each item, up to a limit. */
  private first<Item>(items: Item[], row: (item: Item) => Row): Row[] {
    const rows = items.slice(0, ROWS).map(row);
    if (items.length > ROWS) rows.push(['and ' + grouped(items.length - ROWS) + ' more', '']);
    return rows;
  }

  private rows(rows: Row[]): HTMLElement {
    return element('dl', { class: 'rows' }, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }

  private stages(frame: Frame): HTMLElement {
    const spent = Object.entries(frame.timings).filter(([, time]) => time > 0);
    const longest = Math.max(...spent.map(([, time]) => time), 1e-9);
    return element('ul', { class: 'bars' }, ...spent.map(([stage, time], i) => {
      const bar = element('span', { class: 'bar' });
      bar.style.width = (100 * time) / longest + '%';
      bar.style.background = stageColors[i % stageColors.length];
      return element('li', {}, element('span', {}, stage), element('span', { class: 'track' }, bar), element('span', { class: 'number' }, milliseconds(time)));
    }));
  }

  private insides(frame: Frame): Row[] {
    if (frame.containments.length === 0) return [];
    return [['Objects inside others', insideWords(frame) + (this.record.solid ? '' : '; --solid counts this')],
      ...this.first(frame.containments, (one) =>
        [frame.objects[one.inner].label, (isEntire(one) ? 'lies entirely inside ' : 'lies partly inside ') + frame.objects[one.outer].label])];
  }

  show(frame: Frame): void {
    const record = this.record;
    if (record.result !== null) {
      this.root.replaceChildren(this.rows(resultRows(record)));
      return;
    }
    const rows: Row[] = [
      ['Pairs', grouped(frame.pairs.length / 4)], ['Hash', frame.hash], ['Method', record.method],
      ['Neighbors', record.neighbors], ['graze', record.version],
    ];
    if (record.clearance > 0) rows.push(['Clearance', measured(record.clearance) + ' ' + record.units]);
    rows.push(...this.first(frame.volumes, ([a, b, volume]) =>
      ['Shared volume of ' + frame.objects[a].label + ' and ' + frame.objects[b].label, measured(volume)]), ...this.insides(frame));
    const counters = Object.entries(frame.counters).filter(([, count]) => count > 0);
    this.root.replaceChildren(
      this.rows(rows), element('h2', {}, 'Time of each stage'), this.stages(frame), element('h2', {}, 'Counters'),
      this.rows(counters.map(([name, count]) => [name.replace(/_/g, ' '), grouped(count)])));
  }
}
