/* Starts the page. The loader has unpacked this program; `unpack` returns the decompressed content of another element
 * by its id, or null if it is empty. */
import { Page } from './page';
import { readRecord } from './record';
import { TablePage } from './table_page';

declare global {
  interface Window {
    grazePage: (unpack: (id: string) => Promise<ArrayBuffer | null>) => Promise<void>;
  }
}

window.grazePage = async (unpack) => {
  const scene = await unpack('graze-scene');
  if (scene === null) throw new Error('it contains no scene');
  const record = readRecord(scene), app = document.getElementById('app')!;
  if (record.frames.length === 0) new TablePage(record, app);
  else new Page(record, app, unpack);
};
