import { hash } from 'node:crypto';
import { parse } from 'uuid';

/**
 * Ids derived from names: UUIDs of version 5 (RFC 9562), as `v5` of the library makes them, at a third of its cost. An event has several
 * awards and outcomes.
 * @param namespace a UUID that never changes, because ids that clients know are derived from it
 * @returns the id of a name
 */
export function uuidsIn(namespace: string): (name: string) => string {
  const prefix = parse(namespace);
  // Reused for every name, because allocating a buffer costs as much as the hash.
  const usual = Buffer.alloc(prefix.length + USUAL_BYTES);
  usual.set(prefix);
  return (name) => {
    const isUsual = name.length * MOST_BYTES_PER_UNIT <= USUAL_BYTES;
    const hashed = isUsual
      ? usual.subarray(0, prefix.length + usual.write(name, prefix.length))
      : Buffer.concat([prefix, Buffer.from(name)]);
    const hex = hash('sha1', hashed, 'hex');
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

const USUAL_BYTES = 1_536;
/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;
