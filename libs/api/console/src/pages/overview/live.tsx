import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type LiveEvent, watchLive } from '../../api/live.ts';
import { may } from '../../api/session.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { Card, Chip, Empty } from '../../ui/elements.tsx';
import { EventRow } from '../../ui/event-row.tsx';
import { counted } from '../../ui/format.ts';
import { useQuery } from '../../ui/query.ts';

/** Most rows on the page; older ones are removed. */
const SHOWN = 100;
/** Most events that wait while the feed is paused. */
const WAITING = 500;
/** Interval at which the live region announces new events. */
const SAID_EVERY_MS = 5_000;
/** The longest id or key that the service accepts. */
const LONGEST = 255;

type State = { readonly kind: 'live' | 'connecting' | 'refused'; readonly reason: string | null };

/** Events and their effects, as they are recorded. */
export function Live() {
  const [userId, setUserId] = useQuery('user');
  const [metric, setMetric] = useQuery('metric');
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [skipped, setSkipped] = useState(0);
  const [hasGap, setHasGap] = useState(false);
  const [paused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState<readonly LiveEvent[]>([]);
  const [state, setState] = useState<State>({ kind: 'connecting', reason: null });
  const pausing = useRef(false);
  pausing.current = paused;
  /** Whether events are missing between the shown ones and the waiting ones. */
  const isCut = useRef(false);

  useEffect(() => {
    setEvents([]);
    setWaiting([]);
    setSkipped(0);
    setHasGap(false);
    isCut.current = false;
    return watchLive({
      userId,
      metric,
      onEvents: (came, left) => {
        const newest = came.toReversed();
        if (pausing.current) setWaiting((last) => [...newest, ...last].slice(0, WAITING));
        else setEvents((last) => [...newest, ...last].slice(0, SHOWN));
        setSkipped((last) => last + left);
      },
      onGap: () => {
        // While the feed is paused, the shown events stay.
        if (pausing.current) isCut.current = true;
        else setEvents([]);
        setWaiting([]);
        setHasGap(true);
      },
      onState: (kind, reason) => setState({ kind, reason }),
    });
  }, [userId, metric]);

  const goOn = () => {
    const joins = !isCut.current;
    isCut.current = false;
    setEvents((last) => [...waiting, ...(joins ? last : [])].slice(0, SHOWN));
    setWaiting([]);
    setPaused(false);
  };
  return (
    <Card title="Live events" wide action={<StateChip state={state} paused={paused} />}>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          User
          <CommittedField placeholder="Any id" maxLength={LONGEST} value={userId} onCommit={setUserId} />
        </label>
        <label>
          Metric
          <CommittedField placeholder="Any key" maxLength={LONGEST} value={metric} onCommit={setMetric} />
        </label>
        <button type="button" aria-pressed={paused} onClick={() => (paused ? goOn() : setPaused(true))}>
          {paused ? `Resume${waiting.length > 0 ? ` (${waiting.length})` : ''}` : 'Pause'}
        </button>
      </form>
      <Said key={`${userId} ${metric}`} events={events} />
      {state.reason !== null && (
        <p class="muted" role="status">
          {state.reason}
        </p>
      )}
      {events.length === 0 && state.reason === null && !hasGap && <Nothing userId={userId} metric={metric} />}
      {events.length > 0 && state.kind !== 'refused' && (
        <ol class="timeline live">
          {events.map((event) => (
            <EventRow key={event.id} event={event} zone="UTC" userId={event.userId} />
          ))}
        </ol>
      )}
      {skipped > 0 && <p class="muted">{counted(skipped, 'more event')} came too fast to show.</p>}
      {hasGap && (
        <p class="muted" role="status">
          The connection was lost for a while. Events from that time are not shown.
        </p>
      )}
    </Card>
  );
}

/** Shown if there are no events, or none that match the filter. */
function Nothing({ userId, metric }: { readonly userId: string; readonly metric: string }) {
  const { path, route } = useLocation();
  if (userId === '' && metric === '')
    return (
      <Empty title="No events yet">
        <p>
          Post one and it is here within a second. How to:{' '}
          {may('admin') ? (
            <a href="/console/first-event">your first event</a>
          ) : (
            <a href="/docs">the API’s documentation</a>
          )}
          .
        </p>
      </Empty>
    );
  const sought = [userId !== '' && 'user', metric !== '' && 'metric'].filter(Boolean).join(' and this ');
  return (
    <Empty title={`No recent events of this ${sought}`}>
      <p>Ids and keys are case-sensitive. New events appear here as they arrive.</p>
      <button type="button" onClick={() => route(path, true)}>
        Show all events
      </button>
    </Empty>
  );
}

function StateChip({ state, paused }: { readonly state: State; readonly paused: boolean }) {
  if (state.kind === 'refused') return <Chip>not here</Chip>;
  if (state.kind === 'connecting') return <Chip>connecting …</Chip>;
  return paused ? <Chip tone="accent">paused</Chip> : <Chip tone="good">live</Chip>;
}

/** Announces the number of events to screen readers; announcing each row would be too much. */
function Said({ events }: { readonly events: readonly LiveEvent[] }) {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  /** null before the first look; empty if there were no events. */
  const newest = useRef<string | null>(null);
  const shown = useRef(events);
  shown.current = events;
  useEffect(() => {
    const timer = setInterval(() => {
      const seen = shown.current.findIndex(({ id }) => id === newest.current);
      const fresh = newest.current === null ? 0 : seen < 0 ? shown.current.length : seen;
      newest.current = shown.current[0]?.id ?? '';
      if (fresh > 0) setSaid(({ turn }) => ({ text: counted(fresh, 'new event'), turn: turn + 1 }));
    }, SAID_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="hidden" role="status">
      {/* A new element each time, because an unchanged text is not read out again. */}
      <span key={said.turn}>{said.text}</span>
    </p>
  );
}
