/* Writes ZIP archives in memory without compression: PNG does not shrink further, and the texts are small. */

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

export interface ZipEntry {
  name: string;
  bytes: Uint8Array;
}

/* The format counts entries in two bytes. */
export const ZIP_ENTRIES = 65535;

const UTF8_NAMES = 0x0800, VERSION = 20;

/* Date and time in the MS-DOS format, in UTC. */
function stampOf(time: Date): number {
  const date = ((Math.max(1980, time.getUTCFullYear()) - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((date << 16) | (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)) >>> 0;
}

/* Fields of two or four bytes, little-endian. */
function fields(...values: [bytes: 2 | 4, value: number][]): Uint8Array {
  const made = new Uint8Array(values.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(made.buffer);
  let at = 0;
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return made;
}

export function zipOf(entries: ZipEntry[], time: Date): Blob {
  const parts: Uint8Array[] = [], directory: Uint8Array[] = [];
  const stamp = stampOf(time);
  let offset = 0;
  for (const { name, bytes } of entries) {
    const letters = new TextEncoder().encode(name);
    const common: [2 | 4, number][] = [
      [2, VERSION], [2, UTF8_NAMES], [2, 0], [4, stamp], [4, crcOf(bytes)], [4, bytes.length], [4, bytes.length], [2, letters.length], [2, 0],
    ];
    const head = fields([4, 0x04034b50], ...common);
    parts.push(head, letters, bytes);
    directory.push(fields([4, 0x02014b50], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), letters);
    offset += head.length + letters.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end] as BlobPart[], { type: 'application/zip' });
}
