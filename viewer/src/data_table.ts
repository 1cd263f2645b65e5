/* A table of measurements with bars in one column; clicking a heading sorts it. */
import { element } from './dom';

export interface Cell {
  text: string;
  value: number | string; /* sort key */
  bar?: { width: number; color: string }[]; /* fractions of the widest bar, 0 to 1 */
}

export interface DataTable {
  caption: string;
  columns: string[];
  rows: Cell[][];
}

function cellElement(cell: Cell, first: boolean): HTMLElement {
  const name = first ? 'th' : 'td';
  const attributes = { class: typeof cell.value === 'number' ? 'number' : '', scope: first ? 'row' : undefined };
  if (cell.bar === undefined) return element(name, attributes, cell.text);
  const parts = cell.bar.map(({ width, color }) => {
    const part = element('span', { class: 'bar' });
    part.style.width = 100 * width + '%';
    part.style.background = color;
    return part;
  });
  return element(name, { ...attributes, class: 'number barred' }, element('span', { class: 'track' }, ...parts), element('span', {}, cell.text));
}

export function makeTable(table: DataTable): HTMLElement {
  const body = element('tbody');
  const rows = table.rows.map((cells) => ({ cells, row: element('tr', {}, ...cells.map((cell, i) => cellElement(cell, i === 0))) }));
  const headings = table.columns.map((name, column) => element('th', { scope: 'col' },
    element('button', { type: 'button', onclick: () => sort(column) }, name)));
  const sort = (column: number) => {
    const falling = headings[column].getAttribute('aria-sort') === 'ascending';
    headings.forEach((heading) => heading.removeAttribute('aria-sort'));
    headings[column].setAttribute('aria-sort', falling ? 'descending' : 'ascending');
    const sign = falling ? -1 : 1;
    rows.sort((a, b) => {
      const left = a.cells[column].value, right = b.cells[column].value;
      return sign * (left < right ? -1 : left > right ? 1 : 0);
    });
    body.replaceChildren(...rows.map(({ row }) => row));
  };
  body.append(...rows.map(({ row }) => row));
  return element('div', { class: 'table-place' },
    element('table', { class: 'data' }, element('caption', {}, table.caption), element('thead', {}, element('tr', {}, ...headings)), body));
}
