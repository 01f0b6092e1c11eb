import {
  StoreUnavailableError,
  type CorrectionRecorded,
  type RecordedEvent,
  type MetricEventRecorded,
  type CommandResult,
  type Subject,
} from '@laurel/kernel';
import type { CorrectionOrder } from '@laurel/ports';
import { keyHashOf, previewIdOf } from '@laurel/event-store';
import { LiveCorrections, type LiveCorrectionsDependencies } from './live-corrections.ts';

const ACCOUNT = 'default';
const [ada, bea, cleo]: readonly [Subject, Subject, Subject] = [1, 2, 3];
const idOfEvent = (position: number): string => `0199a4c2-7d3e-7f00-8000-${String(position).padStart(12, '0')}`;

/** What the log holds, and an engine that records without applying; `refuse` says what it answers instead. */
function world(subjects: readonly Subject[]) {
  const base = { account: ACCOUNT, configurationVersion: 1, occurredAt: 0, recordedAt: 0 };
  const events = subjects.map((subject, index) => ({
    ...base,
    position: index + 1,
    eventId: idOfEvent(index + 1),
    fact: { type: 'MetricEventRecorded', subject } as MetricEventRecorded,
  }));
  const made: RecordedEvent<CorrectionRecorded>[] = [];
  const record = (fact: CorrectionRecorded): string => {
    const position = events.length + made.length + 1;
    made.push({ ...base, position, eventId: idOfEvent(position), fact });
    return idOfEvent(position);
  };
  const state = {
    before: (): Promise<void> => Promise.resolve(),
    refuse: (_fact: CorrectionRecorded): CommandResult | null => null,
  };
  const dependencies = {
    engine: {
      correct: async (_account: string, fact: CorrectionRecorded): Promise<CommandResult> => {
        await state.before();
        const refusal = state.refuse(fact);
        return refusal ?? ({ kind: 'recorded', eventId: record(fact) } as CommandResult);
      },
      importOpen: () => false,
    },
    log: {
      findAll: (_account: string, eventIds: readonly string[]) =>
        Promise.resolve(events.filter(({ eventId }) => eventIds.includes(eventId))),
      correctionsOf: (of: readonly Subject[]) =>
        Promise.resolve(made.filter(({ fact: { subject } }) => of.includes(subject))),
    },
    clock: { now: () => 0 },
  } as unknown as LiveCorrectionsDependencies;
  return { corrections: new LiveCorrections(dependencies), events, made, record, state };
}

const order = (events: readonly { readonly eventId: string }[], preview: string): CorrectionOrder => ({
  corrections: events.map(({ eventId }) => ({ eventId, retract: true })),
  achievements: 'recompute',
  finalRuns: 'keep',
  preview,
  idempotencyKey: 'ticket',
  attribution: { by: 'local', reason: 'sent twice' },
});

/** The id of the preview of these events, whose users have not been corrected. */
const previewed = (events: readonly RecordedEvent<MetricEventRecorded>[]): string =>
  previewIdOf(ACCOUNT, order(events, ''), new Map(events.map(({ fact }) => [fact.subject, 0])));

const refused = (reason: 'corrected_meanwhile' | 'unavailable'): CommandResult => ({
  kind: 'refused',
  reason,
  eventId: null,
  retryAfterMs: null,
});

describe('corrections', () => {
  it('run two at a time, let 16 wait, and refuse further calls at once', async () => {
    const { corrections, events, made, state } = world([ada]);
    let [present, most] = [0, 0];
    let proceed: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (proceed = resolve));
    state.before = async () => {
      most = Math.max(most, ++present);
      await hold;
      present--;
    };
    const asked = order(events, previewed(events));
    const calls = Array.from({ length: 18 }, (_, call) =>
      corrections.correct(ACCOUNT, { ...asked, idempotencyKey: `ticket ${call}` }),
    );
    const overloaded = {
      problem: { code: 'overloaded', detail: '18 corrections are under way already; nothing was done.' },
      headers: { 'retry-after': '1' },
    };
    await expect(corrections.correct(ACCOUNT, asked)).rejects.toMatchObject(overloaded);
    await expect(corrections.preview(ACCOUNT, asked)).rejects.toMatchObject(overloaded);
    proceed();
    const outcomes = await Promise.all(calls);
    expect(outcomes).toHaveLength(18);
    expect([most, present]).toEqual([2, 0]);
    expect(made.length).toBeGreaterThan(0);
  });
});

describe('a correction of several users', () => {
  it('is replayed if the same concurrent call came first', async () => {
    const { corrections, events, made, record, state } = world([ada, bea]);
    state.refuse = (fact) => {
      record(fact);
      return refused('corrected_meanwhile');
    };
    const outcome = await corrections.correct(ACCOUNT, order(events, previewed(events)));
    const users = made.map(({ eventId, fact: { subject } }) => ({ subject, eventId }));
    expect(outcome).toEqual({ kind: 'replayed', users });
    expect(users.map(({ subject }) => subject)).toEqual([ada, bea]);
  });

  it('is replayed for all concurrent calls but one, even if each was first for some user', async () => {
    const { corrections, events, record, state } = world([ada, bea]);
    const asked = order(events, previewed(events));
    state.refuse = (fact) => {
      if (fact.subject === ada) return null;
      record(fact);
      return refused('corrected_meanwhile');
    };
    expect(await corrections.correct(ACCOUNT, asked)).toMatchObject({ kind: 'replayed' });
  });

  it('is refused if a correction with another key came first', async () => {
    const { corrections, events, record, state } = world([ada]);
    state.refuse = (fact) => {
      const keyHash = keyHashOf({ account: ACCOUNT, subject: ada, metric: 'correction:', key: 'another' });
      record({ ...fact, keyHash });
      return refused('corrected_meanwhile');
    };
    const outcome = await corrections.correct(ACCOUNT, order(events, previewed(events)));
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'stale_preview' });
  });

  it('reports corrected and remaining users if it is interrupted, and a retry continues there', async () => {
    const { corrections, events, made, state } = world([ada, bea, cleo]);
    const asked = order(events, previewed(events));
    state.refuse = ({ subject }) => (subject === bea ? refused('unavailable') : null);
    const outcome = await corrections.correct(ACCOUNT, asked);
    const corrected = [{ subject: ada, eventId: idOfEvent(4) }];
    expect(outcome).toMatchObject({ reason: 'unavailable', progress: { corrected, left: [bea, cleo] } });
    state.refuse = () => null;
    expect(await corrections.correct(ACCOUNT, asked)).toMatchObject({ kind: 'recorded' });
    expect(made.map(({ fact: { subject } }) => subject)).toEqual([ada, bea, cleo]);
    expect(await corrections.correct(ACCOUNT, asked)).toMatchObject({ kind: 'replayed' });
  });

  it('reports them even if the store becomes unavailable while a user is folded', async () => {
    const { corrections, events, state } = world([ada, bea]);
    state.refuse = ({ subject }) => {
      if (subject === bea) throw new StoreUnavailableError('away');
      return null;
    };
    const outcome = await corrections.correct(ACCOUNT, order(events, previewed(events)));
    expect(outcome).toMatchObject({ reason: 'unavailable', progress: { left: [bea] } });
  });

  it('skips a user who was corrected since the preview', async () => {
    const { corrections, events, made, record, state } = world([ada, bea]);
    const asked = order(events, previewed(events));
    state.refuse = ({ subject }) => (subject === bea ? refused('unavailable') : null);
    await corrections.correct(ACCOUNT, asked);
    const [ofAda] = made.map(({ fact }) => fact) as [CorrectionRecorded];
    record({ ...ofAda, subject: bea, keyHash: null, preview: 'another' });
    state.refuse = () => null;
    const outcome = await corrections.correct(ACCOUNT, asked);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'stale_preview', progress: { left: [bea] } });
    expect(made.map(({ fact: { subject } }) => subject)).toEqual([ada, bea]);
  });

  it('skips a user for whom the key was used with another request', async () => {
    const { corrections, events, made } = world([ada, bea]);
    const [ofAda] = events;
    await corrections.correct(ACCOUNT, order([ofAda as Named], previewed([ofAda as Named])));
    const outcome = await corrections.correct(ACCOUNT, order(events, previewed(events)));
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'stale_preview', progress: { left: [bea] } });
    expect(made).toHaveLength(1);
  });
});

type Named = RecordedEvent<MetricEventRecorded>;
