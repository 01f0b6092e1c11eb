import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useList } from '../../api/resource.ts';
import { may, SUPPORT } from '../../api/session.ts';
import { Card, Chip, Loaded, More } from '../../ui/elements.tsx';
import { EventRow } from '../../ui/event-row.tsx';
import { canBeRetracted, Retract } from './retract.tsx';

/** The user's events, with a button to retract each. */
export function Timeline({
  id,
  zone,
  onRetracted,
}: {
  readonly id: string;
  readonly zone: string;
  readonly onRetracted: () => void;
}) {
  const [retracting, setRetracting] = useState<Schemas['TimelineEvent'] | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const { events, next } = await answerOf(
        api.GET('/admin/v1/users/{id}/events', {
          params: { path: { id }, query: { limit: 20, ...(cursor !== undefined && { cursor }) } },
          signal,
        }),
      );
      return { rows: events, next };
    },
    [id],
  );
  const actionOf = (event: Schemas['TimelineEvent']) => {
    if (event.corrected?.retracted) return <Chip tone="bad">{event.correction ? 'undone' : 'retracted'}</Chip>;
    return (
      may(...SUPPORT) &&
      canBeRetracted(event) && (
        <button type="button" class="quiet" onClick={() => setRetracting(event)}>
          {event.correction ? 'Undo …' : 'Retract …'}
        </button>
      )
    );
  };
  return (
    <div id="timeline" tabIndex={-1}>
      <Card title="Timeline" wide>
        <Loaded resource={list} rows={6}>
          {(events) => (
            <>
              <ol class="timeline">
                {events.map((event) => (
                  <EventRow key={event.id} event={event} zone={zone} action={actionOf(event)} />
                ))}
              </ol>
              <More list={list} />
            </>
          )}
        </Loaded>
      </Card>
      {retracting !== null && (
        <Retract event={retracting} onRetracted={onRetracted} onClose={() => setRetracting(null)} />
      )}
    </div>
  );
}
