/* The numbers of a live query, on the tab Live: pairs, clashes, the deepest contact, and the time of each stage as bars. */
import { element } from './dom';
import { stageColors } from './palette';
import type { Frame } from './record';
import { grouped, measured, milliseconds } from './words';

/* Measuring the contacts of this many pairs takes about 2 ms, a small part of a frame of a drag. */
export const MOST_DEPTHS = 500;

export class LiveNumbers {
  private readonly values = element('dl', { class: 'rows' });
  private readonly bars = element('ul', { class: 'bars', 'aria-label': 'Time of each stage' });
  readonly root = element('div', { class: 'live-numbers' }, this.values, this.bars);

  private readonly spent = new Set<string>(); /* stages that took time, so that rows do not come and go */

  show(frame: Frame, units: string): void {
    const rows: [string, string][] = [['Pairs', grouped(frame.pairs.length / 4)]];
    if (frame.kinds !== null) rows.push(['Clashes', grouped(frame.clashes.length)], ['Deepest contact', this.deepest(frame, units)]);
    this.values.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
    for (const [stage, time] of Object.entries(frame.timings)) if (time > 0) this.spent.add(stage);
    const stages = Object.entries(frame.timings).filter(([stage]) => this.spent.has(stage)), longest = Math.max(...stages.map(([, time]) => time), 1e-9);
    this.bars.replaceChildren(...stages.map(([stage, time], i) => {
      const bar = element('span', { class: 'bar' });
      bar.style.width = (100 * time) / longest + '%';
      bar.style.background = stageColors[i % stageColors.length];
      return element('li', {}, element('span', {}, stage), element('span', { class: 'track' }, bar), element('span', { class: 'number' }, milliseconds(time)));
    }));
  }

  private deepest(frame: Frame, units: string): string {
    const count = frame.pairs.length / 4;
    if (count === 0) return 'none';
    if (count > MOST_DEPTHS) return 'not measured above ' + MOST_DEPTHS + ' pairs';
    return (measured(Math.max(...frame.clashes.map((clash) => clash.depth ?? 0))) + ' ' + units).trim();
  }
}
