/* Starts the page. The loader has unpacked this program; `unpack` gives what else lies in the page by the id of its
 * element, or null. */
import { Page } from './page';
import { readRecord } from './record';

declare global {
  interface Window {
    grazePage: (unpack: (id: string) => Promise<ArrayBuffer | null>) => Promise<void>;
  }
}

window.grazePage = async (unpack) => {
  const scene = await unpack('graze-scene');
  if (scene === null) throw new Error('no scene was put into it');
  new Page(readRecord(scene), document.getElementById('app')!, unpack);
};
