/* Stores the state of the page in the URL fragment: camera, clash, frame, mode and axis that points up. A saved copy contains its state,
 * because a mailed file loses its URL. */
export interface PageState {
  camera?: number[];
  clash?: string;
  frame?: number;
  mode?: string;
  up?: string;
}

const FARTHEST = 1e30; /* of single precision, with room for sums */

/* Returns an eye and a target that are apart, or undefined. */
function readCamera(words: string): number[] | undefined {
  const parts = words.split(','), camera = parts.map(Number);
  const isUsable = camera.length === 6 && parts.every((part, i) => part.trim() !== '' && Math.abs(camera[i]) <= FARTHEST) &&
    [0, 1, 2].some((axis) => camera[axis] !== camera[axis + 3]);
  return isUsable ? camera : undefined;
}

function readWords(words: string): PageState {
  const values = new URLSearchParams(words);
  const state: PageState = {};
  state.camera = readCamera(values.get('camera') ?? '');
  const frame = Number(values.get('frame') ?? NaN);
  if (Number.isInteger(frame) && frame > 0) state.frame = frame;
  state.clash = values.get('clash') ?? undefined;
  state.mode = values.get('mode') ?? undefined;
  state.up = values.get('up') ?? undefined;
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

/* Returns false if the browser does not let the page change its address, for example in a sandboxed frame. */
export function writeState(state: PageState): boolean {
  const values = new URLSearchParams();
  if (state.camera !== undefined) values.set('camera', state.camera.map((x) => Number(x.toPrecision(6))).join(','));
  if (state.frame !== undefined && state.frame > 1) values.set('frame', String(state.frame));
  if (state.clash !== undefined) values.set('clash', state.clash);
  if (state.mode !== undefined) values.set('mode', state.mode);
  if (state.up !== undefined) values.set('up', state.up);
  const words = values.toString().replace(/%2C/g, ',');
  try {
    history.replaceState(null, '', words === '' ? location.pathname : '#' + words);
    return true;
  } catch {
    return false;
  }
}
