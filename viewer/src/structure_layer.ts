/* The structure layer: selects the boxes of the live engine that are drawn, and describes them. A slider selects a level
 * that has nodes; its last position selects all levels. */
import type { EngineStructure } from '../engine/engine';
import { element } from './dom';
import { structureColor } from './palette';
import type { Vector } from './record';
import { type BoxLines, boxLines, MOST_BOXES } from './structure_boxes';
import { counted, grouped } from './words';

/* A level that no structure has: its list is empty, but the reply contains the counts of all levels. */
const NO_LEVEL = 0xffff;
const FEW_NODES = 500;
const NODES: Record<string, string> = { grid: 'cell', tree: 'node', clusters: 'cluster' };

export type Inspect = (level: number | null, limit: number) => Promise<EngineStructure>;

export class StructureLayer {
  private readonly shown = element('input', { type: 'checkbox', id: 'structure-shown', onchange: () => this.turn(this.shown.checked) });
  private readonly level = element('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'Structure level', oninput: () => this.changed() });
  private readonly words = element('p', { class: 'quiet', role: 'status' });
  private readonly legend = element('ul', { class: 'structure-levels', 'aria-label': 'Structure levels' });
  private readonly details = element('div', { hidden: true }, this.level, this.words, this.legend);
  readonly root = element('div', { class: 'structure' }, element('label', {}, this.shown, ' Search structure (G)'), this.details);
  private method = '';
  private stops: (number | null)[] = [null];

  constructor(private readonly changed: () => void, private readonly turned: (on: boolean) => void) {}

  get on(): boolean {
    return this.shown.checked;
  }

  turn(on: boolean): void {
    this.shown.checked = on;
    this.details.hidden = !on;
    this.turned(on);
    this.changed();
  }

  /* Returns the boxes of the last query at the selected level. */
  async read(inspect: Inspect, places: number[][], center: Vector): Promise<BoxLines> {
    let structure = this.method === '' ? null : await inspect(this.chosen, MOST_BOXES);
    if (structure === null || !this.fits(structure)) {
      this.offer(await inspect(NO_LEVEL, 0));
      structure = await inspect(this.chosen, MOST_BOXES);
    }
    this.describe(structure);
    const numbers = this.method === 'clusters' ? structure.levels.map((_, i) => i) : structure.levels.map((level) => this.stops.indexOf(level));
    return boxLines(structure, numbers, places, center);
  }

  private get chosen(): number | null {
    return this.stops[Number(this.level.value)];
  }

  private levelsOf(structure: EngineStructure): number[] {
    return [...structure.levelCounts.keys()].filter((level) => structure.levelCounts[level] > 0);
  }

  private fits(structure: EngineStructure): boolean {
    return structure.method === this.method && this.levelsOf(structure).join() === this.stops.slice(0, -1).join();
  }

  /* The initial level: for a tree the first with at most FEW_NODES nodes, otherwise all levels. */
  private offer(structure: EngineStructure): void {
    const same = structure.method === this.method, before = this.chosen;
    this.method = structure.method;
    this.stops = [...this.levelsOf(structure), null];
    const last = this.stops.length - 1;
    const few = this.stops.findIndex((level) => level !== null && structure.levelCounts[level] <= FEW_NODES);
    const kept = this.stops.indexOf(before);
    this.level.max = String(last);
    this.level.value = String(same && kept >= 0 ? kept : this.method === 'tree' && few >= 0 ? few : last);
    this.level.hidden = last < 2;
  }

  private describe(structure: EngineStructure): void {
    const levels = this.stops.slice(0, -1) as number[];
    const node = NODES[this.method] ?? 'box', many = node === 'box' ? 'boxes' : node + 's';
    const drawn = structure.levels.length;
    const words = (level: number) => 'Level ' + level + ': ' + counted(structure.levelCounts[level], node, many);
    const place = this.chosen === null ? 'All levels: ' + counted(structure.count, node, many) : words(this.chosen);
    this.level.setAttribute('aria-valuetext', place);
    this.words.textContent = levels.length === 0 ? 'The method ' + this.method + ' has no search structure.'
      : this.method + ', ' + place.charAt(0).toLowerCase() + place.slice(1) + (drawn < structure.count ? '; the first ' + grouped(drawn) + ' are drawn' : '');
    this.legend.replaceChildren(...(this.method === 'clusters' ? [] : levels).map((level, i) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = structureColor(i);
      return element('li', { 'aria-current': this.chosen === null || this.chosen === level ? 'true' : undefined }, swatch, words(level));
    }));
  }
}
