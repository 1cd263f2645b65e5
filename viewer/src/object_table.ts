/* The list of objects: their colors, what they are made of, whether they are drawn. */
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

  constructor(private readonly changed: (hidden: Set<number>) => void) {
    this.root = element('div', { class: 'sheet' },
      element('div', { class: 'filters' },
        element('button', { type: 'button', onclick: () => this.setAll(true) }, 'Show all'),
        element('button', { type: 'button', onclick: () => this.setAll(false) }, 'Hide all')),
      this.list);
  }

  show(frame: Frame): void {
    const same = this.frame !== null && this.frame.objects.length === frame.objects.length &&
      frame.objects.every((object, i) => object.label === this.frame!.objects[i].label);
    this.frame = frame;
    if (!same) this.draw();
    this.changed(this.hidden);
  }

  private meetings(index: number): number {
    return this.frame!.clashes.reduce((count, clash) => count + (clash.a === index || clash.b === index ? 1 : 0), 0);
  }

  private draw(): void {
    const objects = this.frame!.objects;
    const rows = objects.slice(0, ROWS).map((object, index) => {
      const box = element('input', {
        type: 'checkbox', checked: !this.hidden.has(index), onchange: () => this.set(index, box.checked),
      });
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = objectColor(index);
      const count = objects.length > ROWS ? '' : ', ' + counted(this.meetings(index), 'clash', 'clashes');
      return element('li', {},
        element('label', {}, box, swatch,
          element('span', { class: 'names' }, element('span', { class: 'name' }, object.label),
            element('span', { class: 'facts' }, counted(object.primitiveCount, object.kind, manyOf(object.kind)) + count))));
    });
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
