import { hash } from 'node:crypto';
import { parse } from 'uuid';

/**
 * Ids that follow from a name: UUIDs of version 5 (RFC 9562), as the library's `v5` gives them, at a third of its cost. An event
 * has several awards and outcomes.
 * @param namespace a UUID; never to change, since ids that clients know are derived from it
 * @returns the id of a name
 */
export function uuidsIn(namespace: string): (name: string) => string {
  const prefix = parse(namespace);
  return (name) => {
    const hex = hash('sha1', Buffer.concat([prefix, Buffer.from(name)]), 'hex');
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}
