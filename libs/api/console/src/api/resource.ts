import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from './client.ts';

/** Data that a page has requested. During a reload the former value stays. */
export interface Resource<T> {
  readonly value: T | null;
  readonly failure: Refused | null;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** A polled service that does not answer within this time counts as unreachable. */
const LONGEST_MS = 10_000;

/**
 * Loads when the page is shown and when one of `inputs` changes. With `everyMs`, also repeats while the page is visible
 * and no request is in progress.
 *
 * @param load gets a signal that is aborted when the answer is no longer needed
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  everyMs?: number,
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>({ value: null, failure: null, loading: true });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const key = JSON.stringify(inputs);
  useEffect(() => setState({ value: null, failure: null, loading: true }), [key]);
  const isAsking = useRef(false);
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    isAsking.current = true;
    const settle = (change: (last: Omit<Resource<T>, 'reload'>) => Omit<Resource<T>, 'reload'>) => {
      if (signal.aborted) return;
      isAsking.current = false;
      clearTimeout(limit);
      setState(change);
    };
    const fail = (failure: Refused) => settle((last) => ({ ...last, failure, loading: false }));
    const giveUp = () => {
      fail(new Refused(null));
      asking.abort();
    };
    const limit = everyMs === undefined ? undefined : setTimeout(giveUp, LONGEST_MS);
    setState((last) => ({ ...last, loading: true }));
    load(signal).then(
      (value) => settle(() => ({ value, failure: null, loading: false })),
      (error: unknown) => fail(error instanceof Refused ? error : new Refused(null)),
    );
    return () => {
      clearTimeout(limit);
      asking.abort();
    };
  }, [key, turn]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden && !isAsking.current) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { ...state, reload };
}

/** A page of a list by keyset pagination. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface List<Row> extends Resource<readonly Row[]> {
  /** null if there are no more rows. */
  readonly more: (() => void) | null;
}

/** The pages after the first one. */
interface Grown<Row> {
  readonly of: ListPage<Row> | null;
  readonly pages: readonly ListPage<Row>[];
  readonly failure: Refused | null;
  readonly isGrowing: boolean;
}

/**
 * A list that grows by one page with each call of `more`. A new first page restarts the list, and late pages of the old
 * list are dropped.
 */
export function useList<Row>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>,
  inputs: readonly unknown[],
): List<Row> {
  const first = useResource((signal) => load(undefined, signal), inputs);
  const of = first.value;
  const begun: Grown<Row> = { of, pages: [], failure: null, isGrowing: false };
  const [last, setGrown] = useState(begun);
  const grown = last.of === of ? last : begun;
  const pages = of === null ? [] : [of, ...grown.pages];
  const next = pages.at(-1)?.next ?? null;
  const more = () => {
    if (next === null || grown.isGrowing) return;
    setGrown({ ...grown, isGrowing: true });
    const change = (part: Partial<Grown<Row>>) =>
      setGrown((now) => (now.of === of ? { ...now, ...part, isGrowing: false } : now));
    load(next, new AbortController().signal).then(
      (page) => change({ pages: [...grown.pages, page], failure: null }),
      (error: unknown) => change({ failure: error instanceof Refused ? error : new Refused(null) }),
    );
  };
  return {
    value: of === null ? null : pages.flatMap(({ rows }) => rows),
    failure: first.failure ?? grown.failure,
    loading: first.loading || grown.isGrowing,
    reload: first.reload,
    more: next === null ? null : more,
  };
}
