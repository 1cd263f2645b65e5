/* The page of a record without a scene, a benchmark or an analysis of several files: tables instead of the 3D view. */
import { makeTable } from './data_table';
import { download, element } from './dom';
import { recordAsJson, rowsAsCsv, savedPage } from './exports';
import { fileStem, makeMenu } from './menu';
import type { Json, PageRecord } from './record';
import { benchStages, benchTables, measureTables } from './result_tables';
import { counted, grouped } from './words';

type Row = [string, string];

function machineRows(result: Json): Row[] {
  const { machine } = result;
  return [
    ['Date', result.date], ['Commit', result.commit], ['Compiler', result.compiler + ' ' + result.flags],
    ['Processor', machine.processor], ['Processors', grouped(machine.processors)],
    ['Memory', (machine.memory_bytes / 2 ** 30).toFixed(1) + ' GiB'], ['System', machine.system], ['Device', result.device],
  ].filter(([, value]) => value !== '') as Row[];
}

function leftOut(result: Json): HTMLElement[] {
  const skipped = result.skipped as Json[];
  if (skipped.length === 0) return [];
  return [element('h2', {}, 'Skipped'), element('ul', { class: 'skipped' }, ...skipped.map((file) => element('li', {}, file.trouble)))];
}

export class TablePage {
  constructor(record: PageRecord, app: HTMLElement) {
    const result = record.result!;
    const isBench = record.command === 'bench';
    const tables = isBench ? benchTables(result) : measureTables(result);
    const rows = (isBench ? result.rows : result.files) as Json[];
    document.title = record.title + ' · graze';
    app.className = 'layout';
    app.replaceChildren(
      element('main', { class: 'tables', tabindex: 0, 'aria-label': 'Tables' }, ...(isBench ? [this.legend(result)] : []), ...tables.map(makeTable)),
      element('aside', { class: 'panel', 'aria-label': 'Results' },
        element('header', {},
          element('p', { class: 'brand' }, element('b', {}, 'graze'), element('span', { class: 'title' }, record.title)),
          element('h1', { class: 'verdict clear' }, this.verdict(record, rows)),
          element('p', { class: 'quiet subtitle' }, isBench ? (result.complete ? 'Medians of interleaved rounds' : 'The run was interrupted: rows are missing') : '')),
        element('div', { class: 'sheet facts-sheet', tabindex: 0 },
          element('dl', { class: 'rows' }, ...[...(isBench ? machineRows(result) : []), ['graze', record.version] as Row]
            .flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
          ...(isBench ? [] : leftOut(result))),
        this.menu(record, rows)));
    document.documentElement.dataset.ready = 'true';
  }

  private verdict(record: PageRecord, rows: Json[]): string {
    if (record.command === 'bench') return counted(rows.length, 'row') + ' measured';
    return 'k up to ' + Math.max(0, ...rows.map((file) => file.k)) + ' in ' + counted(rows.length, 'file');
  }

  private legend(result: Json): HTMLElement {
    return element('ul', { class: 'legend', 'aria-label': 'Stages' }, ...benchStages(result).map(({ name, color }) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = color;
      return element('li', {}, swatch, name);
    }));
  }

  private menu(record: PageRecord, rows: Json[]): HTMLElement {
    const name = fileStem(record.title);
    const save = (ending: string, make: () => string, type: string) => () => download(name + ending, new Blob([make()], { type }));
    return makeMenu([
      ['Rows as CSV', save('.csv', () => rowsAsCsv(rows), 'text/csv')],
      ['Record as JSON', save('.json', () => recordAsJson(record), 'application/json')],
      ['Save a copy of this page', save('.html', () => savedPage({}), 'text/html')],
    ]);
  }
}
