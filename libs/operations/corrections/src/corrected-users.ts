import {
  groupBy,
  isPointsRequest,
  type CorrectionRecorded,
  type EventCorrection,
  type KeyHash,
  type RecordedEvent,
  type Subject,
} from '@laurel/kernel';
import {
  CORRECTION_KEY_SCOPE,
  MOST_CORRECTED_USERS,
  type CorrectedSubject,
  type CorrectionOrder,
  type CorrectionRefused,
  type CorrectionRequest,
  type RefusedCorrection,
} from '@laurel/ports';
import { changesOf } from '@laurel/engine';
import { keyHashOf, previewIdOf, type EventLookup } from '@laurel/event-store';
import { NO_SUCH_EVENT } from './refusals.ts';

/** The users whose events a request corrects, in the order in which the request names them first. */
export interface CorrectedUsers {
  readonly users: ReadonlyMap<Subject, readonly EventCorrection[]>;
  /** The corrections of each user so far, in the order of the log. */
  readonly earlier: ReadonlyMap<Subject, readonly RecordedEvent<CorrectionRecorded>[]>;
}

/** Finds the events of a request and groups their corrections by user. */
export async function correctedUsers(
  account: string,
  { corrections }: CorrectionRequest,
  log: Pick<EventLookup, 'findAll' | 'correctionsOf'>,
): Promise<CorrectedUsers | CorrectionRefused> {
  const users = new Map<Subject, EventCorrection[]>();
  const [unknown, wrong]: [RefusedCorrection[], RefusedCorrection[]] = [[], []];
  const found = await log.findAll(
    account,
    corrections.map(({ eventId }) => eventId),
  );
  const records = new Map(found.map((record) => [record.eventId, record]));
  for (const correction of corrections) {
    const { eventId } = correction;
    const record = records.get(eventId);
    if (record === undefined) {
      unknown.push({ eventId, because: NO_SUCH_EVENT });
      continue;
    }
    const because = objectionTo(record, correction);
    if (because !== null) wrong.push({ eventId, because });
    else if ('subject' in record.fact) {
      const { subject } = record.fact;
      const own = users.get(subject) ?? [];
      users.set(subject, own);
      own.push({ position: record.position, ...correction });
    }
  }
  if (unknown.length > 0) return { kind: 'refused', reason: 'unknown_event', events: unknown };
  if (wrong.length > 0) return { kind: 'refused', reason: 'not_correctable', events: wrong };
  if (users.size > MOST_CORRECTED_USERS) return { kind: 'refused', reason: 'too_many_users' };
  const earlier = await log.correctionsOf([...users.keys()]);
  return { users, earlier: groupBy(earlier, ({ fact }) => fact.subject) };
}

/** The reason why the event cannot be corrected this way, or null if it can. */
function objectionTo(
  { fact, recordedAt }: RecordedEvent,
  correction: CorrectionRequest['corrections'][number],
): string | null {
  if (!('subject' in fact)) return 'it belongs to no user';
  if (isPointsRequest(fact)) return 'its verdict is final: a spend can only be refunded';
  if (correction.retract) return null;
  if (fact.type !== 'MetricEventRecorded') return 'it is no metric event, and can only be retracted';
  return correction.occurredAt !== undefined && correction.occurredAt > recordedAt
    ? 'it cannot have happened after it was recorded'
    : null;
}

/** @param done users who are already corrected */
export function amendedThoughRetracted(
  request: CorrectionRequest,
  { users, earlier }: CorrectedUsers,
  done: ReadonlyMap<Subject, string> = new Map(),
): CorrectionRefused | null {
  const events = [...users].flatMap(([subject, corrections]) => {
    if (done.has(subject) || corrections.every(({ retract }) => retract)) return [];
    const fact = recordedOf(request, { subject, corrections, preview: '' });
    const changes = changesOf([...(earlier.get(subject) ?? []), { position: Infinity, fact }]);
    return corrections.filter(({ retract, position }) => !retract && changes.get(position)?.retracted);
  });
  if (events.length === 0) return null;
  const because = 'it is retracted: retract the retraction first';
  return { kind: 'refused', reason: 'not_correctable', events: events.map(({ eventId }) => ({ eventId, because })) };
}

export const recordedOf = (
  { achievements, finalRuns }: CorrectionRequest,
  of: Pick<CorrectionRecorded, 'subject' | 'corrections' | 'preview'>,
): CorrectionRecorded => ({ type: 'CorrectionRecorded', ...of, achievements, finalRuns, keyHash: null });

export const hashOf = (account: string, subject: Subject, key: string): KeyHash =>
  keyHashOf({ account, subject, metric: CORRECTION_KEY_SCOPE, key });

/** The quoted form of the key if one of the users was corrected with it, otherwise the plain form. */
export const keyOf = (
  account: string,
  { idempotencyKey, quotedKeys = [] }: CorrectionOrder,
  { users, earlier }: CorrectedUsers,
) =>
  quotedKeys.find((key) =>
    [...users.keys()].some((subject) => madeWith(hashOf(account, subject, key), earlier.get(subject)) !== undefined),
  ) ?? idempotencyKey;

/** The correction with this key. @param keyHash null if no key was sent */
export const madeWith = (
  keyHash: KeyHash | null,
  corrections: readonly RecordedEvent<CorrectionRecorded>[] = [],
): RecordedEvent<CorrectionRecorded> | undefined =>
  keyHash === null ? undefined : corrections.find(({ fact }) => fact.keyHash === keyHash);

/**
 * The id of the preview. @param done corrections that this call has already recorded; the preview was made before them
 */
export const idOf = (
  account: string,
  { corrections, achievements, finalRuns }: CorrectionRequest,
  { users, earlier }: CorrectedUsers,
  done: ReadonlyMap<Subject, RecordedEvent<CorrectionRecorded>> = new Map(),
) =>
  previewIdOf(
    account,
    { corrections, achievements, finalRuns },
    new Map(
      [...users.keys()].map((subject) => {
        const own = done.get(subject)?.position ?? Infinity;
        return [subject, earlier.get(subject)?.findLast(({ position }) => position < own)?.position ?? 0];
      }),
    ),
  );

/** The users who are corrected, with their new events. */
export const correctedIn = (
  { users }: CorrectedUsers,
  made: ReadonlyMap<Subject, string>,
): readonly CorrectedSubject[] =>
  [...users.keys()].flatMap((subject) => {
    const eventId = made.get(subject);
    return eventId === undefined ? [] : [{ subject, eventId }];
  });

export function withProgress(
  refused: CorrectionRefused,
  corrected: CorrectedUsers,
  made: ReadonlyMap<Subject, string>,
): CorrectionRefused {
  if (made.size === 0) return refused;
  const left = [...corrected.users.keys()].filter((subject) => !made.has(subject));
  return { ...refused, progress: { corrected: correctedIn(corrected, made), left } };
}
