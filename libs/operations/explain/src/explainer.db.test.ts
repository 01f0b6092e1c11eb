import { compileHistory } from '@laurel/configuration';
import type { UserCommand, Effect, RankChanged, Subject, RecordedUserEvent, UserRef } from '@laurel/kernel';
import type { AwardPlace, ExplainedAward, ExplainedEvent, ExplainedPeriod, ExplainedPoints } from '@laurel/ports';
import { formatDay, formatInstant } from '@laurel/calendar';
import { PointsQueries } from '@laurel/points';
import { foldEvents, positionsInPostgres, publicationsIn, recordOfUser, UserEvents, UserFold } from '@laurel/engine';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { BEGINNING, correctedLives, lesson, live, lives, VERSIONS, type Step } from '@laurel/testing/histories';
import type { MemoryBatchStore } from '@laurel/testing/projections';
import { StreakQueries } from '@laurel/streaks';
import { UserQueries } from '@laurel/users';
import { assertCovering } from '@laurel/testing/laws';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { MIGRATIONS, USER_AREAS } from '@laurel/all-areas';
import { foldedPointsOfEvent, snapshotPointsOfEvent } from './explain-points-of-event.ts';
import { foldedPoints, snapshotPoints, storedPoints, type PointsQuery } from './explain-points.ts';
import { foldedStreak, storedStreak, streakOf } from './explain-streak.ts';
import { FoldedUser } from './folded-user.ts';
import { Explainer } from './explainer.ts';

const ACCOUNT = 'default';
/** After every life, so that something has fallen due. */
const LATER = BEGINNING + 100 * 86_400_000;
/** Of an event: all whom it concerns. */
const WHOLE = { from: 0, limit: 20 };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(MIGRATIONS);
});
afterAll(() => database.close());

/** A life in the tables that explanations read. */
async function stored(store: MemoryBatchStore) {
  const { sql } = database;
  for (const table of ['effects', 'user_zones', 'rank_changes', 'achievement_completions', 'streak_periods']) {
    await sql.query(`truncate ${table}`, []);
    const rows = JSON.stringify(store.rows.get(table) ?? []);
    await sql.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [rows]);
  }
  const history = compileHistory(ACCOUNT, publicationsIn(store.records));
  const read = async (account: string, subject: Subject, area: 'users' | 'points' | 'streaks' | 'achievements') => {
    const documents = await store.loadDocuments([{ account, subject }]);
    return documents.values().next().value?.[area] ?? null;
  };
  const users = new UserQueries(sql, { read } as never, () => history);
  const points = new PointsQueries(sql, { read }, () => history, users);
  const states = { read, readAll: () => Promise.reject(new Error('nobody asks')) };
  const streaks = new StreakQueries(sql, states, () => history);
  const parts = { sqlOf: () => sql, log: store, users, points, streaks, states, configurations: () => history };
  const events = new UserEvents(positionsInPostgres(sql), store);
  return { history, points, parts, events, explainer: new Explainer(parts) };
}

const usersIn = (store: MemoryBatchStore): readonly UserRef[] =>
  [...store.documents.keys()].map((user) => ({ account: ACCOUNT, subject: Number(user.split('\0')[1]) }));

/** Waits for what is done in the background. */
async function untilFolded(ask: () => Promise<{ readonly folded: boolean } | null>): Promise<void> {
  for (let tries = 0; !(await ask())?.folded; tries++) {
    if (tries === 1_000) throw new Error('the user is not folded');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Every page, so many entries each. */
async function allPages(
  limit: number,
  ask: (page: Pick<PointsQuery, 'before' | 'limit'>) => Promise<ExplainedPoints | null>,
) {
  const entries: ExplainedAward[] = [];
  let before: AwardPlace | null = null;
  for (;;) {
    const page: ExplainedPoints | null = await ask({ before, limit });
    if (page === null) throw new Error('the page is of the other kind');
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...page.entries);
    if (page.next === null) return { ...page, entries };
    before = page.next;
  }
}

const shownOf = ({ record, triggerId, type, at, date, zone, change, total }: ExplainedAward) => ({
  position: record.position,
  triggerId,
  type,
  at,
  date,
  zone,
  change,
  total,
});

const sumOf = (entries: readonly ExplainedAward[]): bigint => entries.reduce((sum, { change }) => sum + change, 0n);

describe('the explanation of points, for any sequence of events', () => {
  it('adds up to the total, from a fold or from stored awards, in pages of any size', async () => {
    let [entries, cut, due] = [0, 0, 0];
    await assertCovering(
      fc.asyncProperty(fc.oneof(lives, correctedLives), fc.integer({ min: 1, max: 9 }), async (steps, limit) => {
        const store = await live(steps, 7);
        const { history, points, parts, events, explainer } = await stored(store);
        for (const user of usersIn(store))
          for (const system of history.current.pointsSystemByKey.keys()) {
            const asked = { user, system, at: LATER };
            const folded = await allPages(limit, (page) => foldedPoints(events, history, { ...asked, ...page }));
            const fromAwards = await allPages(limit, (page) => storedPoints(parts, history, { ...asked, ...page }));
            expect(sumOf(folded.entries)).toBe(folded.recorded);
            const { total, earned } = await points.standing(ACCOUNT, user.subject, system, LATER);
            expect([folded.recorded + folded.due, folded.earned]).toEqual([total, earned]);
            const given = folded.entries.filter(({ change }) => change !== 0n);
            expect(fromAwards).toMatchObject({ recorded: folded.recorded, due: folded.due, earned: folded.earned });
            expect(fromAwards.entries.map(shownOf)).toEqual(given.map(shownOf));
            for (const { times, nominal, boosted, change, cutBy } of folded.entries) {
              expect(times).toBeGreaterThan(0n);
              expect((boosted === undefined ? nominal : boosted.points) === change).toBe(cutBy === null);
            }
            const answer = await explainer.points({ account: ACCOUNT, subject: user.subject }, system, LATER, {
              before: null,
              limit: 1_000,
            });
            expect(answer).toMatchObject({ folded: true, entries: folded.entries });
            entries += folded.entries.length;
            cut += folded.entries.length - given.length;
            due += folded.due === 0n ? 0 : 1;
          }
      }),
      { numRuns: 25 },
      () => ({ entries: entries > 100, cut: cut > 5, due: due > 5 }),
    );
  }, 300_000);

  it('is prepared in the background for more than 500 events, after which each page reads few events', async () => {
    const commands = Array.from({ length: 701 }, () => lesson('ada'));
    const store = await live([{ type: 'submit', afterMs: 0, commands }], 250);
    const { explainer, events, history } = await stored(store);
    const [user] = usersIn(store) as [UserRef];
    const ask = (page: Pick<PointsQuery, 'before' | 'limit'>, system = 'xp') =>
      explainer.points({ account: ACCOUNT, subject: user.subject }, system, LATER, page);
    let proceed: () => void = () => undefined;
    const mayFold = new Promise<void>((resolve) => (proceed = resolve));
    const reading = store.readAt.bind(store);
    const held = jest.spyOn(store, 'readAt').mockImplementation(async (positions) => {
      if (positions.length > 100) await mayFold;
      return reading(positions);
    });
    const first = await ask({ before: null, limit: 2 });
    expect(first).toMatchObject({ folded: false, preparing: true, entries: [{ times: null, nominal: null }, {}] });
    expect(await ask({ before: { position: 9, index: 0, folded: true }, limit: 2 })).toBeNull();
    proceed();
    await untilFolded(() => ask({ before: null, limit: 1 }));
    held.mockRestore();
    expect(await ask({ before: first?.next ?? null, limit: 2 })).toMatchObject({ folded: false, preparing: false });
    const reads: number[] = [];
    const readAt = jest.spyOn(store, 'readAt').mockImplementation((positions) => {
      reads.push(positions.length);
      return Promise.resolve(store.records.filter(({ position }) => positions.includes(position)));
    });
    const pages = await allPages(7, (page) => ask(page, 'energy'));
    readAt.mockRestore();
    const folded = await allPages(1_000, (page) =>
      foldedPoints(events, history, { user, system: 'energy', at: LATER, ...page }),
    );
    expect(pages).toEqual(folded);
    expect(pages.entries.filter(({ cutBy }) => cutBy === 'zero').length).toBeGreaterThan(100);
    expect(Math.max(...reads)).toBeLessThanOrEqual(25);
  });

  it('is the same from snapshots as from one fold, with corrections and later events', async () => {
    let [entries, segments, corrections] = [0, 0, 0];
    await assertCovering(
      fc.asyncProperty(correctedLives, fc.integer({ min: 1, max: 60 }), async (steps, limit) => {
        const store = await live(steps, 7);
        const { history, events } = await stored(store);
        for (const user of usersIn(store)) {
          let until = Math.floor(store.records.length / 2);
          const upTo = {
            read: async (...asked: Parameters<UserEvents['read']>) => {
              const read = await events.read(...asked);
              return read.filter(({ position }) => position <= (store.records[until]?.position ?? Infinity));
            },
            correctionsOf: (...asked: Parameters<UserEvents['correctionsOf']>) => events.correctionsOf(...asked),
            amendedBy: (...asked: Parameters<UserEvents['amendedBy']>) => events.amendedBy(...asked),
          };
          const byPage = new FoldedUser(user, upTo, history);
          await byPage.extend();
          until = Infinity;
          if (!(await byPage.extendBy(25))) await byPage.extend();
          segments += byPage.segments.length;
          corrections += byPage.segments.filter(({ correction }) => correction !== null).length;
          for (const system of history.current.pointsSystemByKey.keys()) {
            const asked = { user, system, at: LATER };
            const pages = await allPages(limit, (page) =>
              snapshotPoints(byPage, store, history, { ...asked, ...page }),
            );
            const folded = await allPages(1_000, (page) => foldedPoints(events, history, { ...asked, ...page }));
            expect(pages).toEqual(folded);
            entries += pages.entries.length;
            for (const record of store.records.slice(-4)) {
              const own = recordOfUser(record, user);
              if (own === null) continue;
              const ofEvent = { ...asked, record: own };
              expect(await snapshotPointsOfEvent(byPage, store, history, ofEvent)).toEqual(
                await foldedPointsOfEvent(events, history, ofEvent),
              );
            }
          }
          const asked = { user, at: LATER, date: null, periods: 100 };
          expect(streakOf(byPage.furtherFold(), byPage.streak, history, asked)).toEqual(
            await foldedStreak(events, history, asked),
          );
        }
      }),
      { numRuns: 25 },
      () => ({ entries: entries > 100, segments: segments > 50, corrections: corrections > 20 }),
    );
  }, 300_000);

  it('is not made from snapshots if corrections apply too many events again', async () => {
    const commands = Array.from({ length: 30 }, () => lesson('ada'));
    const correct = { type: 'correct', afterMs: 1, subject: lesson('ada').subject, finalRuns: 'keep' } as const;
    const retracted = { ...correct, achievements: 'recompute', corrections: [{ place: 3, retract: true }] } as const;
    const store = await live([{ type: 'submit', afterMs: 0, commands }, retracted, retracted], 250);
    const { history, events } = await stored(store);
    const [user] = usersIn(store) as [UserRef];
    const own = store.records.filter((record) => recordOfUser(record, user) !== null).length;
    const again = own - 2 + (own - 1);
    await new FoldedUser(user, events, history, again).extend();
    await expect(new FoldedUser(user, events, history, again - 1).extend()).rejects.toThrow('too many events');
  });

  it('uses stored awards, in pages, for a user with more than 5,000 points effects', async () => {
    const store = await live([{ type: 'submit', afterMs: 0, commands: [lesson('ada')] }], 1);
    const { explainer } = await stored(store);
    const [{ subject }] = usersIn(store) as [UserRef];
    const ask = (before: AwardPlace | null, limit: number) =>
      explainer.points({ account: ACCOUNT, subject }, 'xp', LATER, { before, limit });
    const repeat = (times: number) =>
      database.sql.query(
        `update effects set points = array_to_json(array(select points::json -> 0 from generate_series(1, ${times}))) where points is not null`,
        [],
      );
    await repeat(5_000);
    expect(await ask(null, 1)).toMatchObject({ folded: true });
    await repeat(5_001);
    const page = await ask(null, 3);
    expect(page).toMatchObject({
      folded: false,
      preparing: true,
      entries: [{ index: 5_000 }, { index: 4_999 }, { index: 4_998 }],
    });
    expect(await ask(page?.next ?? null, 1)).toMatchObject({ entries: [{ index: 4_997 }] });
  });
});

describe('the explanation of an achievement, for any sequence of events', () => {
  it('names the event that completed it, or the smallest amount that would complete it', async () => {
    const seen = { completed: 0, open: 0, met: 0, inactive: 0, user_differs: 0 };
    await assertCovering(
      fc.asyncProperty(lives, async (steps) => {
        const store = await live(steps, 7);
        const { history, events, explainer } = await stored(store);
        for (const user of usersIn(store))
          for (const { key, trigger } of history.current.achievements) {
            const explained = await explainer.achievement(ACCOUNT, user.subject, key, LATER);
            const completed = completionsIn(store, user.subject, history.current.names.achievements.numberOf(key));
            expect(explained.status === 'completed' ? [explained.record.position] : []).toEqual(completed);
            seen[explained.status]++;
            if (['completed', 'inactive'].includes(explained.status) || trigger.type !== 'metric') continue;
            const missing = explained.status === 'open' ? explained.missing : null;
            const needed = missing?.type === 'amount' ? BigInt(missing.need) - BigInt(missing.have) : 0n;
            const completes = async (value: bigint) => {
              const fold = new UserFold(USER_AREAS, history);
              await foldEvents(fold, events, user, { reasons: null, applied: () => undefined });
              const { effects } = fold.apply(
                nextEvent(user, history.current.version, fold.position, trigger.metric.key, value),
              );
              return effects.some((effect) => effect.type === 'AchievementCompleted' && effect.achievement === key);
            };
            expect(await completes(needed)).toBe(true);
            if (needed > 0n) expect(await completes(needed - 1n)).toBe(false);
          }
      }),
      { numRuns: 20 },
      () => ({ completed: seen.completed > 0, open: seen.open > 0 }),
    );
  }, 300_000);

  it('says that it is met if it became easier since the last event on it', async () => {
    const words = { ...lesson('ada'), metric: '__proto__', value: 5_000_000n };
    const submit = { type: 'submit', afterMs: 0, commands: [words] } as const;
    const harder = await live([submit], 250);
    const [{ subject }] = usersIn(harder) as [UserRef];
    const ask = ({ explainer }: Awaited<ReturnType<typeof stored>>) =>
      explainer.achievement(ACCOUNT, subject, 'constructor', LATER);
    expect(await ask(await stored(harder))).toMatchObject({ status: 'open', missing: { type: 'amount' } });
    const easier = await live([submit, { type: 'publish', afterMs: 1, document: VERSIONS[4] }], 250);
    expect(await ask(await stored(easier))).toEqual({ status: 'met', revokedBy: null });
  });

  it('names the grant that revoked it', async () => {
    const given = (kind: 'achievement' | 'revocation'): UserCommand => ({
      type: 'GiveGrant',
      account: ACCOUNT,
      subject: lesson('ada').subject,
      keyHash: null,
      grant: { kind, achievement: 'first' },
      attribution: { by: 'local', reason: 'because' },
    });
    const ask = async (...commands: readonly UserCommand[]) => {
      const store = await live([{ type: 'submit', afterMs: 0, commands: [lesson('ada'), ...commands] }], 250);
      return (await stored(store)).explainer.achievement(ACCOUNT, lesson('ada').subject, 'first', LATER);
    };
    expect(await ask(given('revocation'))).toMatchObject({
      status: 'met',
      revokedBy: { fact: { type: 'GrantRecorded', grant: { kind: 'revocation' }, reason: 'because' } },
    });
    const again = await ask(given('revocation'), given('achievement'));
    expect(again).toMatchObject({ status: 'completed', record: { fact: { grant: { kind: 'achievement' } } } });
  });
});

describe('the explanation of a streak, for any sequence of events', () => {
  it('shows every period as the read models do, with reasons', async () => {
    let [kept, missed, explainedMisses, corrections] = [0, 0, 0, 0];
    await assertCovering(
      fc.asyncProperty(fc.oneof(lives, correctedLives), async (steps) => {
        const store = await live(steps, 7);
        const { history, parts, explainer } = await stored(store);
        const at = store.records.at(-1)?.recordedAt ?? BEGINNING;
        for (const { subject } of usersIn(store)) {
          const corrected = await store.correctionsOf([subject]);
          corrections += corrected.length;
          const asked = { date: null, periods: 40 };
          const { periods, folded } = await explainer.streak(ACCOUNT, subject, at, asked);
          expect(folded).toBe(true);
          const lengths = await parts.streaks.history(ACCOUNT, subject, at, 40);
          const shown = lengths.toReversed().slice(0, periods.length);
          expect(periods.map(({ start, end, length }) => ({ start, end, length }))).toEqual(
            shown.map(({ periodStart: start, periodEnd: end, length }) => ({ start, end, length })),
          );
          expect(periods.map(({ status }) => status === 'bridged')).toEqual(shown.map(({ usedFreeze }) => usedFreeze));
          const fromStored = await storedStreak(parts, history, { user: { account: ACCOUNT, subject }, at, ...asked });
          expect(fromStored.periods.map(({ start, length }) => [start, length])).toEqual(
            periods.map(({ start, length }) => [start, length]),
          );
          expect(keptIn(fromStored.periods)).toEqual(keptIn(periods));
          for (const { start, status, eventId } of periods) {
            expect(eventId !== null).toBe(status === 'met');
            // What a corrected event caused when it came stays as it was told.
            if (eventId === null || corrected.length > 0) continue;
            const { caused = [] } = (await explainer.event(ACCOUNT, eventId, WHOLE)) ?? {};
            const met = caused.flatMap(({ subject: whose, effects }) =>
              effects.flatMap((effect) =>
                whose === subject && (effect.type === 'StreakStarted' || effect.type === 'StreakExtended')
                  ? [formatDay(effect.period)]
                  : [],
              ),
            );
            expect(met).toContain(start);
          }
          kept += periods.filter(({ length }) => length > 0).length;
          missed += periods.filter(({ status }) => status === 'missed').length;
          explainedMisses += periods.filter(
            ({ status, conditions }) => status === 'missed' && conditions?.length,
          ).length;
        }
      }),
      { numRuns: 60 },
      () => ({
        kept: kept > 20,
        missed: missed > 20,
        explainedMisses: explainedMisses > 0,
        corrections: corrections > 5,
      }),
    );
  }, 300_000);

  it('shows an excused day even from stored rows', async () => {
    const DAY = 86_400_000;
    const { subject } = lesson('ada');
    const missed = formatInstant(BEGINNING + 2 * DAY).slice(0, 10);
    const grant = { kind: 'excused', from: missed, to: missed } as const;
    const attribution = { by: 'local', reason: 'an outage' } as const;
    const excuse: UserCommand = { type: 'GiveGrant', account: ACCOUNT, subject, keyHash: null, grant, attribution };
    const submit = (afterMs: number, command: UserCommand): Step => ({ type: 'submit', afterMs, commands: [command] });
    const store = await live([submit(DAY, lesson('ada')), submit(2 * DAY, lesson('ada')), submit(1, excuse)], 250);
    const { history, parts, explainer } = await stored(store);
    const asked = { date: null, periods: 3 };
    const at = BEGINNING + 3 * DAY + 10;
    const { periods } = await explainer.streak(ACCOUNT, subject, at, asked);
    const fromStored = await storedStreak(parts, history, { user: { account: ACCOUNT, subject }, at, ...asked });
    for (const shown of [periods, fromStored.periods])
      expect(shown.map(({ status }) => status)).toEqual(['met', 'excused', 'met']);
  });

  it('shows the period of the event that created the user, even if a later zone dates it before the creation', async () => {
    const DAY = 86_400_000;
    const { subject } = lesson('ada');
    const untilEvening = DAY - (BEGINNING % DAY) - 7_200_000;
    const utc: UserCommand = { ...lesson('ada'), user: { tz: 'Etc/UTC' } };
    const east: UserCommand = { ...lesson('ada'), user: { tz: 'Europe/Helsinki' } };
    const steps: readonly Step[] = [
      { type: 'submit', afterMs: untilEvening, commands: [utc] },
      { type: 'submit', afterMs: 0.75 * DAY, commands: [east] },
    ];
    const store = await live([...steps], 250);
    const { history, parts, explainer } = await stored(store);
    const asked = { date: null, periods: 5 };
    const at = store.records.at(-1)?.recordedAt ?? BEGINNING;
    const { periods } = await explainer.streak(ACCOUNT, subject, at, asked);
    const fromStored = await storedStreak(parts, history, { user: { account: ACCOUNT, subject }, at, ...asked });
    for (const shown of [periods, fromStored.periods])
      expect(shown.map(({ length }) => length).filter((length) => length > 0)).toEqual([2, 1]);
  });

  it('starts with an imported event from before the creation, and leaves out no later period', async () => {
    const { subject } = lesson('ada');
    const creating = { ...lesson('ada'), value: 0n };
    const retraction = {
      corrections: [{ place: 2, retract: true }],
      achievements: 'recompute',
      finalRuns: 'keep',
    } as const;
    const steps: readonly Step[] = [
      { type: 'publish', afterMs: 0, document: VERSIONS[1] },
      { type: 'submit', afterMs: 4 * 86_400_000, commands: [creating] },
      { type: 'import', afterMs: 1, events: [lesson('ada')], hoursBefore: 72 },
      { type: 'submit', afterMs: 1, commands: [lesson('ada')] },
      { type: 'correct', afterMs: 1, subject, ...retraction },
    ];
    const store = await live([...steps], 250);
    const { history, parts, explainer } = await stored(store);
    const at = store.records.at(-1)?.recordedAt ?? BEGINNING;
    const between = formatInstant(at - 86_400_000).slice(0, 10);
    for (const [date, lengths] of [
      [null, [1, 0, 0, 1]],
      [between, [0, 0, 1]],
    ] as const) {
      const asked = { date, periods: 10 };
      const folded = await explainer.streak(ACCOUNT, subject, at, asked);
      const fromStored = await storedStreak(parts, history, { user: { account: ACCOUNT, subject }, at, ...asked });
      for (const { periods } of [folded, fromStored]) expect(periods.map(({ length }) => length)).toEqual(lengths);
    }
  });

  it('distinguishes a skipped day from a met one, even at the beginning of a restored streak', async () => {
    const { subject } = lesson('ada');
    const attribution = { by: 'local', reason: 'an outage' } as const;
    const east: UserCommand = { ...lesson('ada'), user: { tz: 'Pacific/Kiritimati' } };
    const given: UserCommand = {
      type: 'GiveGrant',
      account: ACCOUNT,
      subject,
      keyHash: null,
      attribution,
      grant: { kind: 'streak' },
    };
    const noon = 43_200_000 - (BEGINNING % 86_400_000);
    const store = await live(
      [
        { type: 'publish', afterMs: noon, document: VERSIONS[1] },
        { type: 'submit', afterMs: 1, commands: [lesson('ada')] },
        { type: 'submit', afterMs: 2 * 86_400_000, commands: [given, east] },
      ],
      250,
    );
    const { history, parts, explainer } = await stored(store);
    const at = store.records.at(-1)?.recordedAt ?? BEGINNING;
    const asked = { date: null, periods: 10 };
    const folded = await explainer.streak(ACCOUNT, subject, at, asked);
    const fromStored = await storedStreak(parts, history, { user: { account: ACCOUNT, subject }, at, ...asked });
    for (const { periods } of [folded, fromStored])
      expect(periods.map(({ status, length }) => [status, length])).toEqual([
        ['met', 2],
        ['skipped', 1],
        ['missed', 0],
        ['met', 1],
      ]);
  });

  it('shows corrected events as they are now, without retracted events and former dates', async () => {
    const { subject } = lesson('ada');
    const day: Step = { type: 'submit', afterMs: 86_400_000, commands: [lesson('ada')] };
    const correct = { type: 'correct', afterMs: 1, subject, achievements: 'recompute', finalRuns: 'keep' } as const;
    const retracted: Step = { ...correct, corrections: [{ place: 2, retract: true }] };
    const amended: Step = { ...correct, corrections: [{ place: 1, hoursBefore: 24 }] };
    const store = await live([day, day, day, day, retracted, amended], 250);
    const { explainer } = await stored(store);
    const own = store.records.filter(({ fact }) => fact.type === 'MetricEventRecorded');
    const at = store.records.at(-1)?.recordedAt ?? BEGINNING;
    const { periods } = await explainer.streak(ACCOUNT, subject, at, { date: null, periods: 10 });
    expect(periods.map(({ status, eventId }) => [status, eventId])).toEqual([
      ['open', null],
      ['met', own[2]?.eventId],
      ['bridged', null],
      ['met', own[0]?.eventId],
    ]);
    expect(periods[1]?.conditions).toContainEqual({ metric: 'lessons', progress: 2_000_000, threshold: 1_000_000 });
  });
});

/** Periods with a length. Whether another is still open is up to the clock that the user had when they reached it, which is not stored. */
const keptIn = (periods: readonly ExplainedPeriod[]) =>
  periods.filter(({ length }) => length > 0).map(({ start, status }) => [start, status]);

/** A page ends before the user with whom there would be too many runs to look at. */
async function everyPageOf(
  explainer: Explainer,
  eventId: string,
): Promise<Pick<ExplainedEvent, 'caused'> & Partial<ExplainedEvent>> {
  const first = await explainer.event(ACCOUNT, eventId, WHOLE);
  const caused = [...(first?.caused ?? [])];
  for (let from = first?.next ?? null; from !== null;) {
    const page: ExplainedEvent | null = await explainer.event(ACCOUNT, eventId, { ...WHOLE, from });
    caused.push(...(page?.caused ?? []));
    from = page?.next ?? null;
  }
  return { ...first, caused };
}

describe('the explanation of an event, for any sequence of events', () => {
  it('shows all its effects, including ranks', async () => {
    let ranks = 0;
    await assertCovering(
      fc.asyncProperty(lives, async (steps) => {
        const store = await live(steps, 7);
        const { history, events, explainer } = await stored(store);
        const caused = new Map<string, readonly Effect[]>();
        for (const user of usersIn(store))
          await foldEvents(new UserFold(USER_AREAS, history), events, user, {
            reasons: null,
            applied: ({ record, effects }) => caused.set(`${record.position} ${user.subject}`, effects),
          });
        for (const { eventId, position } of store.records) {
          const explained = await everyPageOf(explainer, eventId);
          expect(explained.record?.position).toBe(position);
          for (const { subject, effects } of explained.caused) {
            const changes = effects.filter((effect) => effect.type === 'RankChanged');
            expect(effects.filter(({ type }) => type !== 'RankChanged')).toEqual(caused.get(`${position} ${subject}`));
            expect(changes.map(rankOf).sort()).toEqual(
              ranksIn(store, position, subject, history.current.names.boards).sort(),
            );
            caused.delete(`${position} ${subject}`);
            ranks += changes.length;
          }
        }
        expect([...caused.keys()]).toEqual([]);
      }),
      { numRuns: 15 },
      () => ({ ranks: ranks > 50 }),
    );
  }, 300_000);

  it('shows the ranks that a correction changed in any run', async () => {
    let ranks = 0;
    await assertCovering(
      fc.asyncProperty(correctedLives, async (steps) => {
        const store = await live(steps, 7);
        const { history, explainer } = await stored(store);
        for (const { eventId, position, fact } of store.records) {
          if (fact.type !== 'CorrectionRecorded') continue;
          const { caused, next } = await everyPageOf(explainer, eventId);
          const changes = caused.flatMap(({ effects }) => effects.filter((effect) => effect.type === 'RankChanged'));
          const expected = ranksIn(store, position, fact.subject, history.current.names.boards);
          expect([changes.map(rankOf).sort(), next]).toEqual([expected.sort(), null]);
          ranks += changes.length;
        }
      }),
      { numRuns: 60 },
      () => ({ ranks: ranks > 10 }),
    );
  }, 300_000);

  it('does not exist for another id or another account', async () => {
    const store = await live([{ type: 'submit', afterMs: 0, commands: [lesson('ada')] }], 250);
    const { explainer } = await stored(store);
    const id = store.records.at(-1)?.eventId ?? '';
    expect(await explainer.event(ACCOUNT, id, WHOLE)).not.toBeNull();
    expect(await explainer.event('another', id, WHOLE)).toBeNull();
    expect(await explainer.event(ACCOUNT, '00000000-0000-7000-8000-00000000ffff', WHOLE)).toBeNull();
  });
});

const completionsIn = ({ rows }: MemoryBatchStore, subject: Subject, number: number): readonly number[] =>
  (rows.get('achievement_completions') ?? [])
    .filter((row) => row['subject'] === subject && row['achievement'] === number)
    .slice(-1)
    .flatMap((row) => (row['achieved_at'] === null ? [] : [Number(row['position'])]));

const nextEvent = (
  { account, subject }: UserRef,
  configurationVersion: number,
  position: number,
  metric: string,
  value: bigint,
): RecordedUserEvent => ({
  account,
  configurationVersion,
  eventId: 'next',
  position: position + 1,
  occurredAt: LATER,
  recordedAt: LATER,
  fact: {
    type: 'MetricEventRecorded',
    subject,
    metric,
    value,
    user: {},
    attributes: new Map(),
    keyHash: null,
    imported: false,
  },
});

const rankOf = ({ board, run, rank, ordinal }: RankChanged) => `${board} ${formatDay(run)} ${rank ?? 0} ${ordinal}`;

const ranksIn = (
  { rows }: MemoryBatchStore,
  position: number,
  subject: Subject,
  boards: { nameOf(number: number): string },
) =>
  (rows.get('rank_changes') ?? [])
    .filter((row) => row['position'] === position && row['subject'] === subject)
    .map((row) => `${boards.nameOf(Number(row['board']))} ${row['run_start']} ${row['rank']} ${row['ordinal']}`);
