/* The numbers of packings and analyses, as rows of a name and a value, from the record of the command. */
import type { Json, PageRecord } from './record';
import { counted, grouped, measured, milliseconds } from './words';

type Row = [string, string];

function percent(part: number): string {
  return (100 * part).toFixed(2) + ' %';
}

function timesOf(timings: Record<string, number>): Row[] {
  return Object.entries(timings).map(([name, time]) => [name[0].toUpperCase() + name.slice(1), milliseconds(time)]);
}

function packingRows(result: Json): Row[] {
  return [
    ['Spheres', grouped(result.count)], ['Filled', percent(result.fill_rate)], ['Certified', result.certified ? 'yes' : 'no'],
    ['Largest gap', measured(result.largest_gap)], ['Upper bound of the largest gap', measured(result.largest_gap_bound)],
    ['95th percentile of the gap', measured(result.p95_gap)], ['Volume of the body', measured(result.mesh_volume, 6)],
    ['Volume of the spheres', measured(result.sphere_volume, 6)], ['Triangles', grouped(result.triangles)],
    ['Shells', grouped(result.shells)], ['Cavities', grouped(result.cavities)], ['Self-crossings', grouped(result.self_crossings)],
    ...timesOf(result.timings_ms),
  ];
}

function measureRows(file: Json): Row[] {
  return [
    ['k', grouped(file.k)], ['Primitives', grouped(file.primitives) + ' ' + file.kind], ['Vertices', grouped(file.vertices)],
    ['Mean k', measured(file.mean)], ['Deviation', measured(file.deviation)], ['Mean mesh neighbors', measured(file.neighbor_mean)],
    ['Smallest diameter', measured(file.smallest)], ['Largest diameter', measured(file.largest)], ['Height', measured(file.height)],
    ['Occupied levels', grouped(file.levels)], ['Pairs within the mesh, at most', grouped(file.within_bound)],
    ['Share of the bound for two meshes, proven', grouped(file.bound)], ['Share of the bound for two meshes, published', grouped(file.paper_bound)],
    ...timesOf(file.timings_ms),
  ];
}

export function resultRows(record: PageRecord): Row[] {
  const rows = record.command === 'pack' ? packingRows(record.result!) : measureRows(record.result!.files[0]);
  return [...rows, ['graze', record.version]];
}

/* The heading of the page and the line below it. */
export function resultWords(command: string, result: Json): { verdict: string; subtitle: string } {
  if (command === 'pack')
    return {
      verdict: counted(result.count, 'sphere') + ', ' + percent(result.fill_rate) + ' full',
      subtitle: [counted(result.triangles, 'triangle'), result.certified ? 'certified' : 'not certified', ...(result.interrupted ? ['interrupted'] : []),
        milliseconds(result.timings_ms.packing)].join(' · '),
    };
  const file = result.files[0] as Json;
  return { verdict: 'k is ' + grouped(file.k), subtitle: [grouped(file.primitives) + ' ' + file.kind, 'mean ' + measured(file.mean), milliseconds(file.timings_ms.measuring)].join(' · ') };
}
