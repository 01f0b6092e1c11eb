import { useEffect, useState } from 'preact/hooks';

interface Look {
  readonly head: number;
  readonly atMs: number;
}

/** Looks that the rate is taken over. */
const LOOKS = 7;

/** How fast the log grows, in events a second over the last looks at its head; null: it was looked at only once. */
export function useEventRate(status: { readonly head: number } | null): number | null {
  const [looks, setLooks] = useState<readonly Look[]>([]);
  useEffect(() => {
    if (status === null) return;
    const look = { head: status.head, atMs: performance.now() };
    setLooks((last) => [...last, look].slice(-LOOKS));
  }, [status]);
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  return Math.max(0, last.head - first.head) / ((last.atMs - first.atMs) / 1_000);
}
