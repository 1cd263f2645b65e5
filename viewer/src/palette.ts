/* Colors that are distinguishable with any color vision: cool and muted for objects, two warm colors of different
 * lightness for primitives in a pair and for the selection. */

export const objectColors = ['#7fa8d6', '#7dbfa8', '#a99fd6', '#c9bd86', '#8b97a8', '#9cc4de', '#6f8fb0', '#b9c3a0'];
export const markColor = '#e8590c';
export const chosenColor = '#c2185b';
export const witnessColor = '#0b7285';
export const stageColors = ['#3b6ea8', '#7fa8d6', '#4f9d86', '#a6d3c2', '#8579bd', '#c3bbe6', '#b89b3c', '#dccf9a', '#7b8794'];

const structureColors = ['#1098ad', '#b8860b', '#5f3dc4', '#2b8a3e', '#a61e4d', '#1c7ed6', '#868e96'];
const levelStops = ['#27496d', '#2f7f95', '#58b09c', '#b9d7a0', '#efe2a0'];

export function objectColor(index: number): string {
  return objectColors[index % objectColors.length];
}

/* The color of level or cluster `number` of a search structure; consecutive numbers differ most. */
export function structureColor(number: number): string {
  return structureColors[number % structureColors.length];
}

/* The color of a level of spheres: dark for the first level, light for the last. */
export function levelColor(level: number, levels: number): string {
  const at = (levels < 2 ? 0 : level / (levels - 1)) * (levelStops.length - 1);
  const low = Math.min(Math.floor(at), levelStops.length - 2);
  const channel = (stop: number, place: number) => parseInt(levelStops[stop].slice(1 + 2 * place, 3 + 2 * place), 16);
  const mixed = [0, 1, 2].map((place) => Math.round(channel(low, place) + (at - low) * (channel(low + 1, place) - channel(low, place))));
  return '#' + mixed.map((value) => value.toString(16).padStart(2, '0')).join('');
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
