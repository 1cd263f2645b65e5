/* Colors that people with every kind of color vision tell apart: cool and muted for objects, two warm ones of different
 * lightness for what intersects and what of it is chosen. */

export const objectColors = ['#7fa8d6', '#7dbfa8', '#a99fd6', '#c9bd86', '#8b97a8', '#9cc4de', '#6f8fb0', '#b9c3a0'];
export const markColor = '#e8590c';
export const chosenColor = '#c2185b';
export const witnessColor = '#0b7285';
export const stageColors = ['#3b6ea8', '#7fa8d6', '#4f9d86', '#a6d3c2', '#8579bd', '#c3bbe6', '#b89b3c', '#dccf9a', '#7b8794'];

export function objectColor(index: number): string {
  return objectColors[index % objectColors.length];
}

export interface Theme {
  top: string;
  bottom: string;
  curve: string;
}

const darkness = matchMedia('(prefers-color-scheme: dark)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

export function theme(): Theme {
  return darkness.matches
    ? { top: '#232a33', bottom: '#13171c', curve: '#ffffff' }
    : { top: '#fbfcfd', bottom: '#dfe6ee', curve: '#16181d' };
}

export function whenThemeChanges(listener: () => void): void {
  darkness.addEventListener('change', listener);
}

export function wantsStillness(): boolean {
  return stillness.matches;
}
