/* Creates elements from plain data. Text is only inserted as text nodes, so markup in file names is never interpreted. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/* `on...` attributes become listeners; `true` sets an attribute without a value; `false` and undefined set none. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as (event: Event) => void);
    else made.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

/* Creates an SVG element. */
export function drawing(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/* Creates a 16 by 16 icon from SVG path data. */
export function icon(path: string): SVGElement {
  return drawing('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' }, drawing('path', { d: path }));
}

export const icons = {
  shaded: 'M8 1.5 14 5v6l-6 3.5L2 11V5zM2 5l6 3.5L14 5M8 8.5v6',
  xray: 'M6 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9',
  wireframe: 'M8 1.5 14.5 13h-13zM8 1.5V13M4.700 7.200h6.600L8 13z',
  section: 'M2 8h12M4 8V3h8v5M4 11v2h2M10 13h2v-2',
  ruler: 'M1.5 11 11 1.5 14.5 5 5 14.5zM4 8.5 5.5 10M6.5 6 8 7.5M9 3.5 10.5 5',
  structure: 'M2 2h12v12H2zM8 2v12M2 8h12M11 8v6M8 11h6',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  up: 'M8 14.500V2M4.500 5.500 8 2l3.500 3.500M3 14.500h10',
  move: 'M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2',
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M5 3v10M11 3v10',
  previous: 'M10 3 5 8l5 5',
  next: 'M6 3l5 5-5 5',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.300c-.7.300-1 .8-1 1.700M8 12.5v.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  share: 'M8 10V2M5 4.5 8 1.5l3 3M3 8v6h10V8',
};

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
