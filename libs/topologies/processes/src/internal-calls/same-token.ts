import { createHash, timingSafeEqual } from 'node:crypto';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares a peer's token in constant time, so that the duration reveals neither the token nor its length. */
export function tokenCheck(token: string): (brought: unknown) => boolean {
  const expected = digestOf(token);
  return (brought) => {
    const isText = typeof brought === 'string';
    return timingSafeEqual(digestOf(isText ? brought : ''), expected) && isText;
  };
}
