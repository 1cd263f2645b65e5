/* The state of the page in its address, behind the "#": camera, clash, frame and mode. A saved copy carries one too, as
 * mailed files lose their addresses. */
export interface PageState {
  camera?: number[];
  clash?: string;
  frame?: number;
  mode?: string;
}

function readWords(words: string): PageState {
  const values = new URLSearchParams(words);
  const state: PageState = {};
  const camera = values.get('camera')?.split(',').map(Number);
  if (camera !== undefined && camera.length === 6 && camera.every(Number.isFinite)) state.camera = camera;
  const frame = Number(values.get('frame') ?? NaN);
  if (Number.isInteger(frame) && frame > 0) state.frame = frame;
  state.clash = values.get('clash') ?? undefined;
  state.mode = values.get('mode') ?? undefined;
  return state;
}

export function readState(): PageState {
  const address = location.hash.slice(1);
  if (address !== '') return readWords(address);
  try {
    return JSON.parse(document.getElementById('graze-state')!.textContent ?? '{}') as PageState;
  } catch {
    return {};
  }
}

export function writeState(state: PageState): void {
  const values = new URLSearchParams();
  if (state.camera !== undefined) values.set('camera', state.camera.map((x) => Number(x.toPrecision(6))).join(','));
  if (state.frame !== undefined && state.frame > 1) values.set('frame', String(state.frame));
  if (state.clash !== undefined) values.set('clash', state.clash);
  if (state.mode !== undefined && state.mode !== 'shaded') values.set('mode', state.mode);
  const words = values.toString().replace(/%2C/g, ',');
  history.replaceState(null, '', words === '' ? location.pathname : '#' + words);
}
