/** The file system of a database. */
export interface FileSystemSpace {
  /** The space that the database may still take. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;
const MOST_FREE_BYTES = 20 * GIB;
const LEAST_FREE_SHARE = 0.05;

/** Whether less than 5 % is free; the limit is at least 1 GiB and at most 20 GiB. */
export const isLow = ({ freeBytes, totalBytes }: FileSystemSpace): boolean =>
  freeBytes < Math.min(MOST_FREE_BYTES, Math.max(LEAST_FREE_BYTES, LEAST_FREE_SHARE * totalBytes));

/** A sentence for people. */
export const describeLowSpace = ({ freeBytes, totalBytes }: FileSystemSpace): string =>
  `The disk of the database fills up: ${inBytes(freeBytes)} of ${inBytes(totalBytes)} are free. When it is full, no event is recorded.`;

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A size for people, such as `1.4 MiB`. */
export function inBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
