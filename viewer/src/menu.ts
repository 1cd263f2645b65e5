/* The menu with files to save and links to copy. */
import { element, icon, icons } from './dom';

export type MenuRow = [words: string, act: () => void];

export function makeMenu(rows: MenuRow[]): HTMLElement {
  const menu = element('details', { class: 'menu' }, element('summary', {}, icon(icons.share), 'Share and export'),
    element('div', { class: 'menu-rows' }, ...rows.map(([words, act]) => element('button', {
      type: 'button', onclick: () => {
        act();
        close(menu);
      },
    }, words))));
  closeByEscape(menu);
  return element('footer', {}, menu);
}

function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector('summary')!.focus();
}

/* Escape closes a menu that has the focus, and does nothing else. */
export function closeByEscape(menu: HTMLDetailsElement): void {
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    close(menu);
  });
}

/* Derives a file name without extension from a title. */
export function fileStem(title: string): string {
  return title.replace(/^.*[\\/]/, '').replace(/[^\w.-]+/g, '_') || 'scene';
}
