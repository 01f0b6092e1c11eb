import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api/client.ts';
import { Chip, When } from './elements.tsx';
import { causedBy, titleOf } from './event-words.ts';
import { UserLink } from './user-link.tsx';

interface EventRowProps {
  readonly event: Schemas['TimelineEvent'];
  readonly zone: string;
  /** Undefined: whose it is is known. null: the user has been erased. */
  readonly userId?: string | null;
  /** What can be done about it, or was. */
  readonly action?: ComponentChildren;
}

/** An event and what it caused. */
export function EventRow({ event, zone, userId, action }: EventRowProps) {
  const caused = causedBy(event);
  return (
    <li>
      <When at={event.occurredAt} zone={zone} />
      <div class="event">
        <div class="event-head">
          <p>
            {userId !== undefined && <UserLink id={userId} />} <strong>{titleOf(event)}</strong>
            {event.imported && <span class="muted"> imported</span>}
          </p>
          {action}
        </div>
        {caused.length === 0 && userId === undefined && <small class="muted">It caused nothing else.</small>}
        {caused.length > 0 && (
          <ul class="chips">
            {caused.map(({ words, tone }, place) => (
              <li key={place}>
                <Chip tone={tone}>{words}</Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
