/* Formats numbers and counts for display. */

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

export function counted(count: number, one: string, many = one + 's'): string {
  return grouped(count) + ' ' + (count === 1 ? one : many);
}

export function measured(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return 'unknown';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(digits - 1);
  return String(Number(value.toPrecision(digits)));
}

export function milliseconds(value: number): string {
  return value < 1 ? value.toFixed(2) + ' ms' : value < 100 ? value.toFixed(1) + ' ms' : grouped(Math.round(value)) + ' ms';
}

export function manyOf(kind: string): string {
  return kind === 'tetrahedron' || kind === 'polyhedron' ? kind.slice(0, -2) + 'a' : kind + 's';
}
