import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api/client.ts';
import { Chip, When } from './elements.tsx';
import { causedBy, titleOf } from './event-words.ts';
import { exact } from './format.ts';
import { UserLink } from './user-link.tsx';

type TimelineEvent = Schemas['TimelineEvent'];

interface EventRowProps {
  /** The live feed does not say whether an event was corrected. */
  readonly event: Omit<TimelineEvent, 'corrected'> & Partial<Pick<TimelineEvent, 'corrected'>>;
  readonly zone: string;
  /** undefined if the page is about this user; null if the user has been erased. */
  readonly userId?: string | null;
  /** An action on the event, or its state. */
  readonly action?: ComponentChildren;
}

/** The values that count instead of the recorded ones, and who corrected them. */
export function Corrected({ corrected }: { readonly corrected: Schemas['CorrectionsOfEvent'] }) {
  const { retracted, value, occurredAt, tz, corrections } = corrected;
  const changes = [
    ...(retracted ? ['retracted'] : []),
    ...(value === undefined ? [] : [`${exact(value.original)} → ${exact(value.present)}`]),
    ...(occurredAt === undefined ? [] : [`${occurredAt.original} → ${occurredAt.present}`]),
    ...(tz === undefined ? [] : [`${tz.original ?? 'no zone'} → ${tz.present}`]),
  ];
  return (
    <>
      {[changes.join(', '), ...corrections.map(correctionWords)].map((words) => (
        <small key={words} class="muted">
          {words}
        </small>
      ))}
    </>
  );
}

const correctionWords = ({ at, by, reason }: Schemas['CorrectionOfEvent']): string =>
  `corrected ${at} by ${by ?? 'somebody'}${reason === null ? '' : ` (${reason})`}`;

/** An event and its effects. */
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
        {event.corrected && <Corrected corrected={event.corrected} />}
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
