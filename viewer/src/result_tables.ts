/* Tables of benchmarks and of analyses of several files, from the record of the command. */
import type { Cell, DataTable } from './data_table';
import { objectColors, stageColors } from './palette';
import type { Json } from './record';
import { counted, grouped, measured, milliseconds } from './words';

/* Columns that identify a row; those with the same value in all rows of a scene are not shown. */
const IDENTITY = ['method', 'threads', 'backend', 'frame', 'step', 'test', 'question', 'builder', 'clusters', 'axis'];

function text(value: number | string): Cell {
  return { text: typeof value === 'number' ? grouped(value) : value, value };
}

function stagesOf(rows: Json[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  return names.slice(0, names.indexOf('asked_ms')).filter((name) => name.endsWith('_ms') && rows.some((row) => row[name] > 0));
}

/* Returns the stages of all rows with their colors. */
export function benchStages(result: Json): { name: string; color: string }[] {
  return stagesOf(result.rows).map((name, i) => ({ name: name.slice(0, -3), color: stageColors[i % stageColors.length] }));
}

/* Time outside the stages is gray. */
function timeCell(row: Json, longest: number, stages: { name: string; color: string }[]): Cell {
  const parts = stages.map(({ name, color }) => ({ width: row[name + '_ms'] / longest, color })).filter(({ width }) => width > 0);
  const known = parts.reduce((sum, { width }) => sum + width, 0);
  const rest = row.total_ms / longest - known;
  const bar = rest > 0 ? [...parts, { width: rest, color: '#b6bcc5' }] : parts.map((part) => ({ ...part, width: (part.width * row.total_ms) / longest / known }));
  return { text: milliseconds(row.total_ms), value: row.total_ms, bar };
}

function spreadOf(row: Json): Cell {
  const spread = row.total_ms > 0 ? (100 * (row.upper_quartile_ms - row.lower_quartile_ms)) / row.total_ms : 0;
  return { text: spread.toFixed(1) + ' %', value: spread };
}

function sceneTable(rows: Json[], stages: { name: string; color: string }[]): DataTable {
  const [first] = rows;
  const told = IDENTITY.filter((name, i) => i === 0 || rows.some((row) => row[name] !== first[name]));
  const same = rows.every((row) => row.hash === first.hash);
  const answer = same ? counted(first.pairs, 'pair') + ' · hash ' + first.hash : 'rows have different hashes';
  const longest = Math.max(...rows.map((row) => row.total_ms), 1e-9);
  return {
    caption: [first.table, first.scene, grouped(first.primitives) + ' primitives', answer].join(' · '),
    columns: [...told, 'time', 'spread', ...(same ? [] : ['pairs', 'hash'])],
    rows: rows.map((row) => [...told.map((name) => text(row[name])), timeCell(row, longest, stages), spreadOf(row),
      ...(same ? [] : [text(row.pairs), text(row.hash)])]),
  };
}

/* Makes one table for each scene of each table of the benchmark. */
export function benchTables(result: Json): DataTable[] {
  const groups = new Map<string, Json[]>();
  for (const row of result.rows as Json[]) {
    const key = JSON.stringify([row.table, row.scene, row.primitives, row.kind]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(row);
  }
  const stages = benchStages(result);
  return [...groups.values()].map((rows) => sceneTable(rows, stages));
}

export function measureTables(result: Json): DataTable[] {
  const files = result.files as Json[];
  const most = Math.max(...files.map((file) => file.k), 1);
  const number = (value: number): Cell => ({ text: measured(value), value });
  return [{
    caption: counted(files.length, 'file'),
    columns: ['file', 'kind', 'primitives', 'k', 'mean k', 'neighbors', 'height', 'levels', 'pairs within mesh, at most'],
    rows: files.map((file) => [text(file.file), text(file.kind), text(file.primitives),
      { text: grouped(file.k), value: file.k, bar: [{ width: file.k / most, color: objectColors[0] }] },
      number(file.mean), number(file.neighbor_mean), number(file.height), text(file.levels), text(file.within_bound)]),
  }];
}
