/* The list of objects: color, primitives, clashes and visibility. */
import { element } from './dom';
import { objectColor } from './palette';
import type { Frame } from './record';
import { counted, manyOf } from './words';

const ROWS = 500;

export class ObjectTable {
  readonly root: HTMLElement;
  private readonly list = element('ul', { class: 'objects' });
  private readonly hidden = new Set<number>();
  private frame: Frame | null = null;
  private facts: HTMLElement[] = []; /* of each row */

  constructor(private readonly meet: boolean, private readonly changed: (hidden: Set<number>) => void) {
    this.root = element('div', { class: 'sheet' },
      element('div', { class: 'filters' },
        element('button', { type: 'button', onclick: () => this.setAll(true) }, 'Show all'),
        element('button', { type: 'button', onclick: () => this.setAll(false) }, 'Hide all')),
      this.list);
  }

  get hiddenObjects(): Set<number> {
    return this.hidden;
  }

  show(frame: Frame): void {
    const same = this.frame !== null && this.frame.objects.length === frame.objects.length &&
      frame.objects.every((object, i) => object.label === this.frame!.objects[i].label);
    this.frame = frame;
    if (same) this.writeFacts();
    else this.draw();
    this.changed(this.hidden);
  }

  /* Shows all objects, for a scene that has others. */
  reset(): void {
    this.hidden.clear();
    this.frame = null;
  }

  private writeFacts(): void {
    const { objects, clashes } = this.frame!;
    const counts = new Uint32Array(objects.length);
    for (const { a, b } of clashes) {
      ++counts[a];
      if (a !== b) ++counts[b];
    }
    this.facts.forEach((facts, index) => {
      const { primitiveCount, kind } = objects[index];
      facts.textContent = counted(primitiveCount, kind, manyOf(kind)) + (this.meet ? ', ' + counted(counts[index], 'clash', 'clashes') : '');
    });
  }

  private draw(): void {
    const objects = this.frame!.objects;
    const rows = objects.slice(0, ROWS).map((object, index) => {
      const box = element('input', {
        type: 'checkbox', checked: !this.hidden.has(index), onchange: () => this.set(index, box.checked),
      });
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = object.color ?? objectColor(index);
      const facts = element('span', { class: 'facts' });
      this.facts[index] = facts;
      return element('li', {},
        element('label', {}, box, swatch, element('span', { class: 'names' }, element('span', { class: 'name' }, object.label), facts)));
    });
    this.facts.length = rows.length;
    this.writeFacts();
    if (objects.length > ROWS)
      rows.push(element('li', { class: 'empty' }, 'and ' + counted(objects.length - ROWS, 'more object')));
    this.list.replaceChildren(...rows);
  }

  private set(index: number, shown: boolean): void {
    if (shown) this.hidden.delete(index);
    else this.hidden.add(index);
    this.changed(this.hidden);
  }

  private setAll(shown: boolean): void {
    this.hidden.clear();
    if (!shown) this.frame!.objects.forEach((_, index) => this.hidden.add(index));
    this.draw();
    this.changed(this.hidden);
  }
}
