import { parseDocument } from '@laurel/configuration';
import {
  ACCOUNT,
  AREAS,
  CORRECTION_TRIGGER,
  type AreaName,
  type CorrectionRecorded,
  type EventCorrection,
  type CommandResult,
  type RecordMetricEvent,
  type Subject,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { VerificationFinding } from '@laurel/schemas';
import type { StoredDocument } from '@laurel/engine';
import { keyHashOf } from '@laurel/event-store';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';

const HOUR = 3_600_000;
const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');

let now = 0;
const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
let database: TestDatabase;
let service: Service;
let ada: Subject;
let bob: Subject;

beforeEach(async () => {
  now = Date.parse('2026-03-06T08:00:00Z');
  database = await openServiceDatabase();
  service = await startService(database.connection, clock, QUIET);
  await service.engine.publishConfiguration(ACCOUNT, document);
  [ada, bob] = [await service.directory.assign(ACCOUNT, 'ada'), await service.directory.assign(ACCOUNT, 'bob')];
});

afterEach(async () => {
  await service.close();
  await database.close();
});

describe('a correction', () => {
  it('changes the whole state of the user, and a rebuild gives the same, whole or by area', async () => {
    const sent = await live(6);
    const [first, second, third] = sent as [Recorded, Recorded, Recorded];
    const retraction = recorded(await correct([{ ...namedBy(second), retract: true }]));
    // Without the second day: 3 for being there, 10 for each lesson, and 5 each for a second and a fourth day in a row.
    expect(await totals()).toEqual([5_000_000n, 63n]);
    await live(2);
    expect(
      recorded(await correct([{ ...namedBy(third), value: 9_000_000n, occurredAt: now - 3 * HOUR }])).position,
    ).toBeGreaterThan(0);
    recorded(await correct([{ ...namedBy(first), retract: true }], { achievements: 'keep', finalRuns: 'change' }));
    await live(1);
    recorded(await correct([{ ...namedBy(retraction), retract: true }]));
    await live(1);
    const before = await service.digest(ACCOUNT);
    for (const areas of [[], ...AREAS.map((area) => [area])] as AreaName[][]) {
      await service.engine.rebuild(areas);
      expect(await service.digest(ACCOUNT)).toEqual(before);
    }
  });

  it('stores the rows that a full verification expects, whatever was corrected', async () => {
    const sent = await live(6);
    const [first, second, third, fourth] = sent as [Recorded, Recorded, Recorded, Recorded];
    const retraction = recorded(await correct([{ ...namedBy(second), retract: true }]));
    await live(2);
    recorded(await correct([{ ...namedBy(third), value: 9_000_000n, occurredAt: now - 3 * HOUR }]));
    recorded(await correct([{ ...namedBy(first), retract: true }], { achievements: 'keep', finalRuns: 'change' }));
    expect(await findings()).toEqual([]);
    recorded(await correct([{ ...namedBy(retraction), retract: true }]));
    recorded(await correct([{ ...namedBy(fourth), value: -1_000_000n }], { finalRuns: 'change' }));
    await live(1);
    expect(await findings()).toEqual([]);
    await database.sql.query('update streak_periods set length = length + 1 where subject = $1', [ada]);
    expect(new Set((await findings()).map(({ table }) => table))).toEqual(new Set(['streak_periods']));
  });

  it('passes a full verification when it spans two metrics and many dates', async () => {
    const sent = new Map<Subject, Recorded[]>([
      [ada, []],
      [bob, []],
    ]);
    for (let day = 0; day < 20; day++) {
      for (const [user, own] of sent) {
        const events = [event(user), { ...event(user), metric: '__proto__' }];
        own.push(...(await service.engine.submit(events)).map(recorded));
      }
      now += 26 * HOUR;
    }
    for (const [subject, own] of sent) {
      const corrections = own.map((one) => ({ ...namedBy(one), occurredAt: one.occurredAt - 24 * HOUR * 20 }));
      recorded(await service.engine.correct(ACCOUNT, { ...correctionOf(corrections), subject }));
    }
    expect(await findings()).toEqual([]);
  });

  it('shows its award at once in every read of awards', async () => {
    const sent = await live(6);
    recorded(await correct([{ ...namedBy(sent[1] as Recorded), retract: true }]));
    const { points } = service.reads;
    const { total } = await points.standing(ACCOUNT, ada, 'xp', now);
    const [newest] = await points.awards({ account: ACCOUNT, subject: ada }, 'xp', now, 1);
    expect(newest).toMatchObject({ triggerId: CORRECTION_TRIGGER, total });
    const page = await points.recorded({ account: ACCOUNT, subject: ada }, 'xp', now, { before: null, limit: 100 });
    expect(page.awards.reduce((sum, { award }) => sum + BigInt(award.awarded), 0n)).toBe(page.recorded);
    const exported = await points.exportOf(ACCOUNT, ada, now);
    expect(exported.get('xp')?.last.at(-1)).toMatchObject({ total });
    const before = await service.digest(ACCOUNT);
    await service.engine.rebuild(['points']);
    expect(await service.digest(ACCOUNT)).toEqual(before);
    expect(await findings()).toEqual([]);
  });

  it('is contained in the result of a rebuild that runs at the same time', async () => {
    const sent = await live(6);
    const corrections = (async () => {
      for (const one of sent.slice(2, 5)) recorded(await correct([{ ...namedBy(one), retract: true }]));
    })();
    await Promise.all([corrections, service.engine.rebuild([])]);
    const after = await service.digest(ACCOUNT);
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(after);
  });

  it('stores what its preview announced', async () => {
    const sent = await live(6);
    const correction = correctionOf([{ ...namedBy(sent[1] as Recorded), retract: true }]);
    const before = await service.digest(ACCOUNT);
    const preview = await service.engine.previewCorrection(ACCOUNT, correction);
    expect(await service.digest(ACCOUNT)).toEqual(before);
    recorded(await service.engine.correct(ACCOUNT, correction));
    const [stored] = await database.sql.query<{ users: unknown; streaks: unknown; achievements: unknown }>(
      'select users, streaks, achievements from user_states where subject = $1',
      [ada],
    );
    const { users, streaks, achievements } = preview.after;
    expect(stored).toEqual({ users, streaks, achievements });
    expect(preview.effects.map(({ type }) => type)).toContain('MetricTotalChanged');
    expect(preview.runs.map(({ board }) => board)).toContain('lessons');
  });

  it('stores what its preview announced, also after a correction that kept achievements', async () => {
    const sent = await live(6);
    const every = (place: number) => ({ ...namedBy(sent[place] as Recorded), retract: true as const });
    const kept = recorded(await correct([every(1), every(3), every(5)], { achievements: 'keep' }));
    await live(1);
    for (const corrections of [[every(0)], [{ ...namedBy(kept), retract: true as const }]]) {
      now += 24 * HOUR;
      const correction = correctionOf(corrections);
      const { after, effects } = await service.engine.previewCorrection(ACCOUNT, correction);
      const before = await stateOfAda();
      const { position } = recorded(await service.engine.correct(ACCOUNT, correction));
      expect(await stateOfAda()).toEqual(withoutPosition(after));
      expect(await stateOfAda()).not.toEqual(before);
      const [row] = await database.sql.query<{ points: string | null; achievements: string | null }>(
        'select points, achievements from effects where subject = $1 and position = $2',
        [ada, position],
      );
      const has = (...types: readonly string[]) => effects.some(({ type }) => types.includes(type));
      expect(row?.points !== null).toBe(has('PointsAwarded'));
      expect(row?.achievements !== null).toBe(has('AchievementCompleted', 'AchievementRevoked'));
    }
  });

  it('leaves final runs unchanged unless it is asked to change them', async () => {
    const [first, second] = (await live(4)) as [Recorded, Recorded];
    now += 40 * 24 * HOUR;
    await service.engine.sweep();
    const before = await valuesOnBoards();
    recorded(await correct([{ ...namedBy(first), retract: true }]));
    const kept = await valuesOnBoards();
    expect(kept.running).not.toEqual(before.running);
    expect(kept.final).toEqual(before.final);
    // Everything due since 6 March was settled late.
    const settled = await changesOfFinalRuns();
    expect(new Set(settled.map(({ changedAt }) => changedAt))).toEqual(new Set([now]));
    now += HOUR;
    recorded(await correct([{ ...namedBy(second), retract: true }], { finalRuns: 'change' }));
    const changed = await valuesOnBoards();
    expect(changed.final).not.toEqual(before.final);
    const changes = await changesOfFinalRuns();
    expect(changes.filter(({ changedAt }) => changedAt === now)).not.toEqual([]);
    expect(changes.filter(({ changedAt }) => changedAt < now)).not.toEqual(settled);
    expect(await findings()).toEqual([]);
    await service.engine.rebuild([]);
    expect(await changesOfFinalRuns()).toEqual(changes);
    await database.sql.query('update final_run_changes set changed_at = changed_at + 1', []);
    expect(new Set((await findings()).map(({ table }) => table))).toEqual(new Set(['final_run_changes']));
  });

  it('leaves the idempotency key of a retracted event used, also after a restart', async () => {
    const keyed = { ...event(), keyHash: keyHashOf({ account: ACCOUNT, subject: ada, metric: 'lessons', key: 'k' }) };
    await live(2);
    const [outcome] = await service.engine.submit([keyed]);
    const original = recorded(outcome);
    const retraction = recorded(await correct([{ ...namedBy(original), retract: true }]));
    const replayed = { kind: 'replayed', eventId: original.eventId, retracted: true };
    expect((await service.engine.submit([keyed]))[0]).toMatchObject(replayed);
    await restart();
    expect((await service.engine.submit([keyed]))[0]).toMatchObject(replayed);
    recorded(await correct([{ ...namedBy(retraction), retract: true }]));
    expect((await service.engine.submit([keyed]))[0]).not.toHaveProperty('retracted');
    await restart();
    expect((await service.engine.submit([keyed]))[0]).not.toHaveProperty('retracted');
  });

  it('leaves no trace when its statement fails', async () => {
    const sent = await live(4);
    const before = await service.digest(ACCOUNT);
    await database.sql.query('alter table streak_periods add constraint nothing_new check (length < 0) not valid', []);
    const outcome = await correct([{ ...namedBy(sent[1] as Recorded), retract: true }]);
    expect(outcome.kind).toBe('refused');
    expect(await service.digest(ACCOUNT)).toEqual(before);
    await database.sql.query('alter table streak_periods drop constraint nothing_new', []);
    recorded(await correct([{ ...namedBy(sent[1] as Recorded), retract: true }]));
    expect(await service.digest(ACCOUNT)).not.toEqual(before);
  });

  it('is refused for events of other users and during an import, and may retract the last event', async () => {
    const [first] = (await live(1)) as [Recorded];
    const [other] = await service.engine.submit([event(bob)]);
    const reason = async (corrections: readonly EventCorrection[]) => {
      const outcome = await correct(corrections);
      return outcome.kind === 'refused' ? outcome.reason : outcome.kind;
    };
    expect(await reason([{ ...namedBy(recorded(other)), retract: true }])).toBe('unknown_event');
    expect(await reason([{ ...namedBy(first), retract: true }])).toBe('recorded');
    await service.engine.openImport(ACCOUNT, { unboundedAwards: false, outgoing: false });
    expect(await reason([{ ...namedBy(first), value: 2_000_000n }])).toBe('import_open');
    await service.engine.finishImport(ACCOUNT);
    expect(await reason([{ ...namedBy(first), value: 2_000_000n }])).toBe('recorded');
  });

  it('is refused once its user is erased, also for the erasure, and keeps earlier corrections', async () => {
    const sent = await live(4);
    const retraction = recorded(await correct([{ ...namedBy(sent[1] as Recorded), retract: true }]));
    const boards = 'remove';
    const [erasure] = await service.engine.submit([
      { type: 'EraseUser', account: ACCOUNT, subject: ada, boards, attribution: {} },
    ]);
    const before = await service.digest(ACCOUNT);
    for (const one of [sent[2] as Recorded, retraction, recorded(erasure)]) {
      expect(await correct([{ ...namedBy(one), retract: true }])).toMatchObject({ kind: 'refused', reason: 'erased' });
      const correction = correctionOf([{ ...namedBy(one), retract: true }]);
      await expect(service.engine.previewCorrection(ACCOUNT, correction)).rejects.toMatchObject({ reason: 'erased' });
    }
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(before);
  });

  it('includes events sent right before it, and is refused when another correction came first', async () => {
    const sent = await live(3);
    const [, , ...both] = await Promise.all([
      service.engine.submit([event(), event()]),
      service.engine.submit([event()]),
      correct([{ ...namedBy(sent[0] as Recorded), retract: true }]),
      service.engine.correct(ACCOUNT, correctionOf([{ ...namedBy(sent[1] as Recorded), retract: true }]), 0),
    ]);
    // Either may come first: their folds run side by side.
    const [first, second] = both.sort((one, other) => one.kind.localeCompare(other.kind));
    recorded(first);
    expect(second).toMatchObject({ kind: 'refused', reason: 'corrected_meanwhile' });
    expect((await totals())[0]).toBe(5_000_000n);
    const before = await service.digest(ACCOUNT);
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(before);
  });
});

describe('a correction that is still folding its user', () => {
  /** It has read so far from the log, and waits for `work`. */
  async function meanwhile(
    read: 'correctionsOf' | 'readAt',
    work: (sent: readonly Recorded[]) => Promise<unknown>,
  ): Promise<CommandResult> {
    const sent = await live(3);
    const log = service.log as unknown as Record<typeof read, (of: readonly number[]) => Promise<unknown>>;
    const reading = log[read].bind(log);
    let proceed: () => void = () => undefined;
    const isAllowed = new Promise<void>((resolve) => (proceed = resolve));
    const hasRead = new Promise<void>((resolve) => {
      log[read] = async (of) => {
        log[read] = reading;
        const found = await reading(of);
        resolve();
        await isAllowed;
        return found;
      };
    });
    const held = correct([{ ...namedBy(sent[1] as Recorded), retract: true }]);
    await hasRead;
    await work(sent);
    proceed();
    return held;
  }

  const expectSameAfterRebuild = async () => {
    const before = await service.digest(ACCOUNT);
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(before);
  };

  it('is refused when another correction is recorded meanwhile', async () => {
    const outcome = await meanwhile('correctionsOf', async ([first]) =>
      recorded(await correct([{ ...namedBy(first as Recorded), value: 2_000_000n }])),
    );
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'corrected_meanwhile' });
    await expectSameAfterRebuild();
  });

  it('is recorded under a version that is published meanwhile', async () => {
    const { document: other } = parseDocument(HISTORY_CONFIGURATION.replace('name: All', 'name: Everything'), 'test');
    const outcome = await meanwhile('readAt', () => service.engine.publishConfiguration(ACCOUNT, other));
    expect(recorded(outcome).configuration.version).toBe(2);
    await expectSameAfterRebuild();
  });
});

type Recorded = Extract<CommandResult, { readonly kind: 'recorded' }>;

const event = (subject = ada): RecordMetricEvent => ({ ...lesson('ada'), subject });

/** Ada's event of each day, and somebody else's. @returns hers */
async function live(days: number): Promise<readonly Recorded[]> {
  const sent: Recorded[] = [];
  for (let day = 0; day < days; day++) {
    const [own] = await service.engine.submit([event(), event(bob)]);
    sent.push(recorded(own));
    now += 26 * HOUR;
    await service.engine.sweep();
  }
  return sent;
}

const namedBy = ({ position, eventId }: Recorded) => ({ position, eventId });

function correctionOf(
  corrections: readonly EventCorrection[],
  options: Partial<Pick<CorrectionRecorded, 'achievements' | 'finalRuns'>> = {},
): CorrectionRecorded {
  return {
    ...{ type: 'CorrectionRecorded', subject: ada, corrections, achievements: 'recompute', finalRuns: 'keep' },
    ...{ preview: 'p', keyHash: null, by: 'local', reason: 'Sent twice.', ...options },
  };
}

const correct = (...asked: Parameters<typeof correctionOf>) => service.engine.correct(ACCOUNT, correctionOf(...asked));

function recorded(outcome: CommandResult | undefined): Recorded {
  if (outcome?.kind !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Of lessons, and of points. */
async function totals(): Promise<readonly unknown[]> {
  const user = await service.reads.users.find(ACCOUNT, ada);
  const { total } = await service.reads.points.standing(ACCOUNT, ada, 'xp', now);
  return [user?.totals.get('lessons'), total];
}

/** Without the position of her last event: a preview has none. */
async function stateOfAda(): Promise<unknown> {
  const [state] = await database.sql.query<StoredDocument>(
    'select users, streaks, achievements, points from user_states where subject = $1',
    [ada],
  );
  return withoutPosition(state);
}

const withoutPosition = (state: unknown): unknown =>
  JSON.parse(JSON.stringify(state), (key, value: unknown) => (key === 'position' ? undefined : value));

/** Of Ada: the board of lessons never ends a run; others that began in March have. */
async function valuesOnBoards() {
  const lessons = service.engine.historyOf(ACCOUNT).current.names.boards.numberOf('lessons');
  const rows = await database.sql.query<{ board: number; run_start: string; value: string }>(
    'select board, run_start::text, value from board_standings where subject = $1 order by board, run_start',
    [ada],
  );
  return {
    running: rows.filter(({ board }) => board === lessons),
    final: rows.filter(({ board, run_start }) => board !== lessons && run_start < '2026-04-01'),
  };
}

const changesOfFinalRuns = () =>
  database.sql.query<{ changedAt: number }>(
    'select board, run_start::text, changed_at::float8 as "changedAt" from final_run_changes order by 1, 2',
    [],
  );

async function findings() {
  const found: VerificationFinding[] = [];
  await service.verify(ACCOUNT, true, (progress) => found.push(...(progress.findings ?? [])));
  return found;
}

async function restart(): Promise<void> {
  await service.close();
  service = await startService(database.connection, clock, QUIET);
}
