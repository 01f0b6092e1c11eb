import { add, negate, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import {
  effectsOfType,
  groupBy,
  levelReached,
  MOST_OWED_AWARDS,
  StoreUnavailableError,
  type Configuration,
  type CorrectionRecorded,
  type Effect,
  type EventCorrection,
  type KeyHash,
  type LogRecord,
  type Outcome,
  type Refused,
  type RunDifference,
  type StreaksSection,
  type Subject,
  type ViewRequest,
} from '@laurel/kernel';
import {
  CORRECTION_KEY_SCOPE,
  MOST_CORRECTED_USERS,
  type Clock,
  type Corrected,
  type CorrectedSubject,
  type CorrectionOrder,
  type CorrectionOutcome,
  type CorrectionPreview,
  type CorrectionRefused,
  type CorrectionRequest,
  type Corrections,
  type PreviewedRun,
  type PreviewedUser,
  type RefusedCorrection,
  type StreakThen,
} from '@laurel/ports';
import {
  changesOf,
  CorrectionRefusedError,
  type Engine,
  type PreviewedCorrection,
  type UserReads,
  FoldsAtOnce,
} from '@laurel/engine';
import { keyHashOf, previewIdOf, type EventLookup } from '@laurel/event-store';
import { streaksArea } from '@laurel/streaks';

/** What corrections are made with. */
export interface LiveCorrectionsParts {
  readonly engine: Pick<Engine, 'previewCorrection' | 'correct' | 'historyOf' | 'importOpen'>;
  readonly log: Pick<EventLookup, 'findAll' | 'correctionsOf'>;
  readonly clock: Clock;
}

/** What previews are read from. */
export interface PreviewReads {
  readonly log: LiveCorrectionsParts['log'];
  readonly user?: UserReads;
}

type Previewed = CorrectionPreview | CorrectionRefused;

/** What was asked for, by user. */
interface Sorted {
  readonly users: ReadonlyMap<Subject, readonly EventCorrection[]>;
  /** The corrections of each so far, in the order of the log. */
  readonly earlier: ReadonlyMap<Subject, readonly LogRecord<CorrectionRecorded>[]>;
}

/** Corrections in the process whose engine records and applies them. */
export class LiveCorrections implements Corrections {
  readonly #parts: LiveCorrectionsParts;
  /** A call folds one user after the other, so this is how many users are folded, too. */
  readonly #calls = new FoldsAtOnce({ most: 2, what: 'corrections' });

  constructor(parts: LiveCorrectionsParts) {
    this.#parts = parts;
  }

  preview(account: string, request: CorrectionRequest): Promise<Previewed> {
    return this.#calls.run(() => this.#preview(account, request, this.#parts));
  }

  /** The same previews, read another way. They take turns with all others. */
  previewsBy(reads: PreviewReads): Pick<Corrections, 'preview'> {
    return { preview: (account, request) => this.#calls.run(() => this.#preview(account, request, reads)) };
  }

  correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome> {
    return this.#calls.run(() => this.#correct(account, order));
  }

  async #preview(account: string, request: CorrectionRequest, { log, user }: PreviewReads): Promise<Previewed> {
    const { engine } = this.#parts;
    const sorted = await this.#sort(account, request, log);
    if ('kind' in sorted) return sorted;
    if (engine.importOpen(account)) return { kind: 'refused', reason: 'import_open' };
    const refused = amendedThoughRetracted(request, sorted);
    if (refused !== null) return refused;
    const id = idOf(account, request, sorted);
    const users: PreviewedUser[] = [];
    for (const [subject, corrections] of sorted.users) {
      const correction = recordedOf(request, { subject, corrections, preview: id });
      try {
        users.push(this.#previewedUser(account, correction, await engine.previewCorrection(account, correction, user)));
      } catch (error) {
        if (error instanceof CorrectionRefusedError)
          return refusedFor({ ...error.of, reason: error.reason }, corrections, request);
        throw error;
      }
    }
    return { kind: 'previewed', id, users };
  }

  async #correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome> {
    const { preview, attribution } = order;
    const sorted = await this.#sort(account, order, this.#parts.log);
    if ('kind' in sorted) return sorted;
    const key = keyOf(account, order, sorted);
    const keyHashOfUser = (subject: Subject): KeyHash | null => (key === null ? null : hashOf(account, subject, key));
    const done = new Map(
      [...sorted.users.keys()].flatMap((subject) => {
        const made = madeWith(keyHashOfUser(subject), sorted.earlier.get(subject));
        return made === undefined ? [] : [[subject, made] as const];
      }),
    );
    const isPreviewed =
      idOf(account, order, sorted, done) === preview &&
      [...done.values()].every(({ fact }) => fact.preview === preview);
    const made = new Map([...done].map(([subject, { eventId }]) => [subject, eventId]));
    if (!isPreviewed && done.size < sorted.users.size)
      return withProgress({ kind: 'refused', reason: 'stale_preview' }, sorted, made);
    const refused = amendedThoughRetracted(order, sorted, made);
    if (refused !== null) return withProgress(refused, sorted, made);
    // That of the last user: of calls at the same time, which may each come first with some of them, only one has recorded that.
    let kind: Corrected['kind'] = 'replayed';
    for (const [subject, corrections] of sorted.users) {
      if (made.has(subject)) {
        kind = 'replayed';
        continue;
      }
      const latest = sorted.earlier.get(subject)?.at(-1)?.position ?? 0;
      const keyHash = keyHashOfUser(subject);
      const correction = { ...recordedOf(order, { subject, corrections, preview }), keyHash, ...attribution };
      const outcome = await this.#correctUser(account, correction, latest);
      if (outcome.kind === 'refused') return withProgress(refusedOf(outcome, corrections, order), sorted, made);
      kind = outcome.kind;
      made.set(subject, outcome.eventId);
    }
    return { kind, users: correctedIn(sorted, made) };
  }

  /** The correction that came first may be this very one: of the same call, sent again while it was under way. */
  async #correctUser(
    account: string,
    correction: CorrectionRecorded,
    latest: number,
  ): Promise<Refused | { readonly kind: 'recorded' | 'replayed'; readonly eventId: string }> {
    const outcome = await this.#correctOrRefuse(account, correction, latest);
    if (outcome.kind !== 'refused' || outcome.reason !== 'corrected_meanwhile') return outcome;
    const { keyHash, subject } = correction;
    if (keyHash === null) return outcome;
    const made = madeWith(keyHash, await this.#parts.log.correctionsOf([subject]));
    return made === undefined ? outcome : { kind: 'replayed', eventId: made.eventId };
  }

  /** A store that cannot be reached while the user is folded does not hide who was corrected before. */
  async #correctOrRefuse(account: string, correction: CorrectionRecorded, latest: number): Promise<Outcome> {
    try {
      return await this.#parts.engine.correct(account, correction, latest);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { kind: 'refused', reason: 'unavailable', eventId: null, retryAfterMs: null };
    }
  }

  /** Finds the events, and whose they are. */
  async #sort(
    account: string,
    { corrections }: CorrectionRequest,
    log: LiveCorrectionsParts['log'],
  ): Promise<Sorted | CorrectionRefused> {
    const users = new Map<Subject, EventCorrection[]>();
    const [unknown, wrong]: [RefusedCorrection[], RefusedCorrection[]] = [[], []];
    const found = await log.findAll(
      account,
      corrections.map(({ eventId }) => eventId),
    );
    const records = new Map(found.map((record) => [record.eventId, record]));
    for (const asked of corrections) {
      const { eventId } = asked;
      const record = records.get(eventId);
      if (record === undefined) {
        unknown.push({ eventId, because: NO_SUCH_EVENT });
        continue;
      }
      const because = objectionTo(record, asked);
      if (because !== null) wrong.push({ eventId, because });
      else if ('subject' in record.fact) {
        const { subject } = record.fact;
        const own = users.get(subject) ?? [];
        users.set(subject, own);
        own.push({ position: record.position, ...asked });
      }
    }
    if (unknown.length > 0) return { kind: 'refused', reason: 'unknown_event', events: unknown };
    if (wrong.length > 0) return { kind: 'refused', reason: 'not_correctable', events: wrong };
    if (users.size > MOST_CORRECTED_USERS) return { kind: 'refused', reason: 'too_many_users' };
    const made = await log.correctionsOf([...users.keys()]);
    return { users, earlier: groupBy(made, ({ fact }) => fact.subject) };
  }

  #previewedUser(
    account: string,
    { subject, corrections, finalRuns }: CorrectionRecorded,
    preview: PreviewedCorrection,
  ): PreviewedUser {
    const { effects, runs, before, after } = preview;
    const configuration = this.#parts.engine.historyOf(account).current;
    const request = { account, subject, at: this.#parts.clock.now(), metric: null, originalDate: '1970-01-01' };
    const streakOf = (stored: unknown) => streakThen(stored, request, configuration);
    return {
      subject,
      corrections,
      runs: runs.filter(isSeen).map((run): PreviewedRun => ({ ...run, stays: run.isFinal && finalRuns === 'keep' })),
      metrics: changedMetrics(effects),
      points: changedPoints(effects, configuration),
      achievements: effects.flatMap((effect): PreviewedUser['achievements'] => {
        if (effect.type !== 'AchievementCompleted' && effect.type !== 'AchievementRevoked') return [];
        const { type, achievement } = effect;
        return [{ achievement, change: type === 'AchievementCompleted' ? 'completed' : 'revoked' }];
      }),
      streak: { before: streakOf(before.streaks), after: streakOf(after.streaks) },
    };
  }
}

const hashOf = (account: string, subject: Subject, key: string): KeyHash =>
  keyHashOf({ account, subject, metric: CORRECTION_KEY_SCOPE, key });

/** The key with its quotes if one of the users was corrected with that, else without. */
const keyOf = (account: string, { idempotencyKey, quotedKeys = [] }: CorrectionOrder, { users, earlier }: Sorted) =>
  quotedKeys.find((key) =>
    [...users.keys()].some((subject) => madeWith(hashOf(account, subject, key), earlier.get(subject)) !== undefined),
  ) ?? idempotencyKey;

/** @param keyHash null: no key was sent */
const madeWith = (
  keyHash: KeyHash | null,
  corrections: readonly LogRecord<CorrectionRecorded>[] = [],
): LogRecord<CorrectionRecorded> | undefined =>
  keyHash === null ? undefined : corrections.find(({ fact }) => fact.keyHash === keyHash);

/** Why the event cannot be corrected so; null: it can. */
function objectionTo({ fact, recordedAt }: LogRecord, asked: CorrectionRequest['corrections'][number]): string | null {
  if (!('subject' in fact)) return 'it belongs to no user';
  if (asked.retract) return null;
  if (fact.type !== 'MetricEventRecorded') return 'it is no metric event, and can only be retracted';
  return asked.occurredAt !== undefined && asked.occurredAt > recordedAt
    ? 'it cannot have happened after it was recorded'
    : null;
}

/** @param done who is corrected already */
function amendedThoughRetracted(
  request: CorrectionRequest,
  { users, earlier }: Sorted,
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

const recordedOf = (
  { achievements, finalRuns }: CorrectionRequest,
  of: Pick<CorrectionRecorded, 'subject' | 'corrections' | 'preview'>,
): CorrectionRecorded => ({ type: 'CorrectionRecorded', ...of, achievements, finalRuns, keyHash: null });

/** @param done what the call has recorded already: the preview was made before it */
const idOf = (
  account: string,
  { corrections, achievements, finalRuns }: CorrectionRequest,
  { users, earlier }: Sorted,
  done: ReadonlyMap<Subject, LogRecord<CorrectionRecorded>> = new Map(),
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

/** Those who are corrected, in the order in which the request names them first. */
const correctedIn = ({ users }: Sorted, made: ReadonlyMap<Subject, string>): readonly CorrectedSubject[] =>
  [...users.keys()].flatMap((subject) => {
    const eventId = made.get(subject);
    return eventId === undefined ? [] : [{ subject, eventId }];
  });

function withProgress(
  refused: CorrectionRefused,
  sorted: Sorted,
  made: ReadonlyMap<Subject, string>,
): CorrectionRefused {
  if (made.size === 0) return refused;
  const left = [...sorted.users.keys()].filter((subject) => !made.has(subject));
  return { ...refused, progress: { corrected: correctedIn(sorted, made), left } };
}

/** @param corrections of the user */
function refusedOf(
  outcome: Refused,
  corrections: readonly EventCorrection[],
  request: CorrectionRequest,
): CorrectionRefused {
  const { reason, eventId, retryAfterMs, damage } = outcome;
  const tried = reason === 'unknown' && eventId !== null && { eventId };
  return { ...refusedFor(outcome, corrections, request), ...tried, retryAfterMs, ...(damage && { damage }) };
}

function refusedFor(
  { reason, owed = 0, eventId = null }: Pick<Refused, 'reason' | 'owed'> & { readonly eventId?: string | null },
  corrections: readonly EventCorrection[],
  request: CorrectionRequest,
): CorrectionRefused {
  switch (reason) {
    case 'corrected_meanwhile':
      return { kind: 'refused', reason: 'stale_preview' };
    case 'unknown_user':
    case 'unknown_event':
      return {
        kind: 'refused',
        reason: 'unknown_event',
        events: corrections.map(({ eventId }) => ({ eventId, because: NO_SUCH_EVENT })),
      };
    case 'erased':
    case 'too_many_runs':
    case 'area_stopped':
    case 'import_open':
    case 'overloaded':
    case 'unavailable':
    case 'unknown':
    case 'rejected':
    case 'damaged':
      return { kind: 'refused', reason };
    case 'unknown_metric':
    case 'too_many_awards': {
      const because =
        reason === 'unknown_metric'
          ? 'would move the event to where the configuration version has no such metric'
          : `would owe the user ${owed} time awards at once, more than ${MOST_OWED_AWARDS}`;
      const place = request.corrections.findIndex(
        (one) => one.eventId === eventId && !one.retract && one.occurredAt !== undefined,
      );
      return {
        kind: 'refused',
        reason,
        events: [{ eventId: eventId ?? '', because, ...(place >= 0 && { instantAt: place }) }],
      };
    }
    case 'too_many_attributes':
      throw new Error(`the engine refused a correction: ${reason}`);
  }
}

const NO_SUCH_EVENT = 'there is no such event';

function changedMetrics(effects: readonly Effect[]): PreviewedUser['metrics'] {
  const byMetric = groupBy(effectsOfType(effects, 'MetricTotalChanged'), ({ metric }) => metric);
  return [...byMetric].flatMap(([metric, changes]) => {
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const before = add(first.total, negate(first.change));
    return before === last.total ? [] : [{ metric, before, after: last.total }];
  });
}

/** Places in the log decide between equals alone, and a value that is 0 or less is on no board. */
const isSeen = ({ before, after }: RunDifference): boolean =>
  [before, after].some((one) => one !== null && one.value > 0n) &&
  (before?.value !== after?.value || before?.reachedAt !== after?.reachedAt);

function changedPoints(effects: readonly Effect[], { pointsSystemByKey }: Configuration): PreviewedUser['points'] {
  return effectsOfType(effects, 'PointsAwarded').map(({ system, awarded, total }) => {
    const levels = pointsSystemByKey.get(system)?.levels ?? [];
    const then = (points: Exact) => ({ total: points, level: levelReached(levels, points)?.key ?? null });
    return { system, before: then(add(total, negate(awarded))), after: then(total) };
  });
}

function streakThen(
  stored: unknown,
  request: ViewRequest & { readonly at: Instant },
  configuration: Configuration,
): StreakThen {
  const state = streaksArea.decode(stored as Parameters<typeof streaksArea.decode>[0]);
  const { streak }: StreaksSection = streaksArea.view(state, request, configuration);
  return { length: streak.length, freezes: streak.freezes ?? 0 };
}
