import { createHash, timingSafeEqual } from 'node:crypto';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether what a peer brings is the token; how long that takes tells nothing of it, nor of its length. */
export function tokenCheck(token: string): (brought: unknown) => boolean {
  const expected = digestOf(token);
  return (brought) => {
    const isText = typeof brought === 'string';
    return timingSafeEqual(digestOf(isText ? brought : ''), expected) && isText;
  };
}
