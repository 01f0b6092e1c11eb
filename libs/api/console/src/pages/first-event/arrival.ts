import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { watchLive } from '../../api/live.ts';
import { useResource } from '../../api/resource.ts';

type TimelineEvent = Omit<Schemas['TimelineEvent'], 'corrected'>;

/** Interval of requests if there is no live feed. */
const ASKED_EVERY_MS = 2_000;

/** The feed begins with up to this many earlier events, none of which is new. */
const FEED_BEGINS_WITH = 50;

/** `looking`: the earlier events are not known yet, so no event counts as new. */
export type Arrival = 'looking' | 'waiting' | TimelineEvent;

/** A user's first event of a metric after the page was opened, shown as soon as it is recorded. */
export function useArrival(userId: string, metric: string): Arrival {
  const [live, setLive] = useState<TimelineEvent | null>(null);
  const [hasFeed, setHasFeed] = useState(true);
  const stored = useResource(
    (signal) => newestEvent(userId, metric, signal),
    [userId, metric],
    hasFeed ? undefined : ASKED_EVERY_MS,
  );
  useEffect(() => {
    setLive(null);
    return watchLive({
      userId,
      metric,
      onEvents: (events) => setLive((last) => events.at(-1) ?? last),
      onGap: stored.reload,
      onState: (state) => {
        setHasFeed(state !== 'refused');
        // The feed lacks events recorded before it was opened.
        if (state === 'live') stored.reload();
      },
    });
  }, [userId, metric]);
  /** The newest event before this page was opened. */
  const last = useRef<TimelineEvent | null | undefined>(undefined);
  if (last.current === undefined && stored.value !== null) last.current = stored.value.event;
  const newest = live ?? stored.value?.event ?? null;
  if (last.current === undefined) return 'looking';
  return newest === null || newest.id === last.current?.id ? 'waiting' : newest;
}

/** @returns null as the event if none of the user's newest events is of the metric. */
async function newestEvent(
  userId: string,
  metric: string,
  signal: AbortSignal,
): Promise<{ readonly event: TimelineEvent | null }> {
  const query = { prefix: userId, limit: 1 };
  const { users } = await answerOf(api.GET('/admin/v1/users', { params: { query }, signal }));
  // An unknown user is not an error here.
  if (users[0]?.id !== userId) return { event: null };
  const params = { path: { id: userId }, query: { limit: FEED_BEGINS_WITH } };
  const { events } = await answerOf(api.GET('/admin/v1/users/{id}/events', { params, signal }));
  return { event: events.find((event) => event.metric === metric) ?? null };
}
