/* The panel of an analysis: the histogram of k and the most crowded primitives. */
import { crowdedFrom, type CrowdedPrimitive, primitivesIn } from './crowding';
import { element } from './dom';
import { Histogram } from './histogram';
import type { Selection } from './object_shapes';
import type { Frame } from './record';
import { counted, manyOf } from './words';

export class CrowdingSheet {
  readonly root = element('div', { class: 'sheet' });
  readonly histogram: Histogram;

  private k: ArrayLike<number> = [];

  constructor(select: (chosen: Selection, words: string) => void, private readonly pick: (primitive: number) => void) {
    this.histogram = new Histogram('Primitives by k', 'k', (bin) =>
      select(bin === null ? [] : primitivesIn([this.k], bin), bin === null ? '' : counted(bin.count, 'primitive') + ' selected'));
  }

  show(frame: Frame, crowded: CrowdedPrimitive[]): void {
    const { k } = frame.crowding!, { kind } = frame.objects[0];
    const from = crowdedFrom(frame.crowding!);
    const count = k.reduce((sum, value) => sum + (value >= from ? 1 : 0), 0);
    this.k = k;
    this.histogram.show([k], from);
    this.root.replaceChildren(
      element('p', { class: 'quiet' }, 'k of a ' + kind + ' is one more than the number of other ' + manyOf(kind) +
        ' that are at least as large and within a quarter of its diameter.' +
        (count === 0 ? '' : ' The most crowded are orange: ' + counted(count, kind, manyOf(kind)) + ' with a k of ' + from + ' or more.')),
      this.histogram.root,
      element('h2', {}, 'Most crowded'),
      element('ol', { class: 'crowded' }, ...crowded.map(({ primitive, k: of, neighbors }) => element('li', {},
        element('button', { type: 'button', class: 'link', onclick: () => this.pick(primitive) }, kind + ' ' + primitive),
        ' · k ' + of + ' · ' + counted(neighbors, 'mesh neighbor')))));
  }
}
