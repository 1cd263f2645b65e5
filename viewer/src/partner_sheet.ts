/* The panel with the histogram of partners: the number of other primitives that each primitive intersects. */
import { partnerCounts, primitivesIn } from './crowding';
import { element } from './dom';
import { Histogram } from './histogram';
import type { Selection } from './object_shapes';
import type { Frame } from './record';
import { counted } from './words';

export class PartnerSheet {
  readonly root = element('div', { class: 'sheet' });
  readonly histogram: Histogram;
  private frame: Frame | null = null;
  private shown: Frame | null = null;
  private counts: Uint32Array[] = [];

  constructor(select: (chosen: Selection, words: string) => void) {
    this.histogram = new Histogram('Primitives by number of partners', 'partners', (bin) =>
      select(bin === null ? [] : primitivesIn(this.counts, bin), bin === null ? '' : counted(bin.count, 'primitive') + ' selected'));
  }

  show(frame: Frame): void {
    this.frame = frame;
    if (!this.root.hidden) this.refresh();
  }

  /* Counts only when the panel is visible, because frames can change quickly. */
  refresh(): void {
    const frame = this.frame;
    if (frame === null || frame === this.shown) return;
    this.shown = frame;
    this.counts = partnerCounts(frame);
    const amount = frame.objects.reduce((sum, object) => sum + object.primitiveCount, 0);
    const involved = this.counts.reduce((sum, list) => sum + list.reduce((count, value) => count + (value > 0 ? 1 : 0), 0), 0);
    this.histogram.show(this.counts);
    this.root.replaceChildren(
      element('p', { class: 'quiet' }, counted(involved, 'primitive') + (involved === 1 ? ' is' : ' are') + ' in a pair; ' +
        counted(amount - involved, 'other') + (amount - involved === 1 ? ' has' : ' have') + ' no partner.'),
      ...(involved === 0 ? [] : [this.histogram.root]));
  }
}
