/* The menu with files to save and links to copy. */
import { element, icon, icons } from './dom';

export type MenuRow = [words: string, act: () => void];

export function makeMenu(rows: MenuRow[]): HTMLElement {
  const menu = element('details', { class: 'menu' }, element('summary', {}, icon(icons.share), 'Share and export'),
    element('div', { class: 'menu-rows' }, ...rows.map(([words, act]) => element('button', {
      type: 'button', onclick: () => {
        act();
        menu.open = false;
      },
    }, words))));
  return element('footer', {}, menu);
}

/* Derives a file name without extension from a title. */
export function fileStem(title: string): string {
  return title.replace(/^.*[\\/]/, '').replace(/[^\w.-]+/g, '_') || 'scene';
}
