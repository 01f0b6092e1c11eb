import { useEffect, useState } from 'preact/hooks';

interface Look {
  readonly head: number;
  readonly atMs: number;
}

/** Number of readings that the rate is computed from. */
const LOOKS = 7;

/** Growth of the log in events per second, from the last readings of its head. null after a single reading. */
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
