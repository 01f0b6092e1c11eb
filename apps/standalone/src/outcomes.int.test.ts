import { jest } from '@jest/globals';
import { parseDocument } from '@laurel/configuration';
import { ACCOUNT, AREAS, type AreaName } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { jsonAmount, type OutcomeBody } from '@laurel/schemas';
import type { PostgresOutcomes } from '@laurel/outgoing';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { SecretBox } from '@laurel/webhooks';
import { startService, type Service } from './start-service.ts';
import { startWithWebhooks } from './start-with-webhooks.ts';
import { QUIET } from './testing/quiet.ts';
import { statementsOf, type Asked } from './testing/statements-of.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { document } = parseDocument(`${HISTORY_CONFIGURATION}outgoing: { events: all, keep: 2d }\n`, 'test');

let now = 0;
const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
let database: TestDatabase;
let service: Service;

beforeEach(async () => {
  now = Date.parse('2026-03-06T08:00:00Z');
  database = await openServiceDatabase();
  service = await startService(database.connection, clock, QUIET);
  await service.engine.publishConfiguration(ACCOUNT, document);
});

afterEach(async () => {
  await service.close();
  await database.close();
});

async function record(user: string): Promise<number> {
  const command = lesson(await known(user));
  const [outcome] = await service.engine.submit([command]);
  if (outcome?.kind !== 'recorded') throw new Error(`it was not recorded: ${outcome?.kind}`);
  return command.subject;
}

const known = async (user: string): Promise<string> => {
  const { subject } = lesson(user);
  await database.sql.query("insert into subjects values ($1, $2, $3, '') on conflict do nothing", [
    ACCOUNT,
    subject,
    user,
  ]);
  return user;
};

async function outcomes() {
  await service.outcomeReader.catchUp();
  return service.outcomes.read(ACCOUNT, { after: 0, limit: 1_000 });
}

/** Once the reader of the service has come to the end of the log by itself. */
async function told() {
  for (const { head } = service.engine.status(); ;) {
    const [cursor] = await database.sql.query<{ position: string }>('select position from outcome_cursors', []);
    if (Number(cursor?.position ?? 0) >= head) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return service.outcomes.read(ACCOUNT, { after: 0, limit: 1_000 });
}

async function firstOfRuns(): Promise<number> {
  const [row] = await database.sql.query<{ rows: string }>('select count(*) as rows from run_tops', []);
  return Number(row?.rows);
}

const typesOf = (made: Awaited<ReturnType<typeof outcomes>>) => made.map(({ type }) => type);

describe('outcomes', () => {
  it('are created once, also after a rebuild, whole or by area, or a restart', async () => {
    for (const user of ['ada', 'bob', 'ada']) await record(user);
    now += 3 * DAY;
    await service.engine.sweep();
    const before = await outcomes();
    expect(typesOf(before)).toEqual(
      expect.arrayContaining(['streak.started', 'streak.lost', 'leaderboard.rank_changed']),
    );
    for (const areas of [[], ...AREAS.map((area) => [area])] as AreaName[][]) await service.engine.rebuild(areas);
    expect(await outcomes()).toEqual(before);
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    expect(await outcomes()).toEqual(before);
    await record('ada');
    expect((await outcomes()).slice(0, before.length)).toEqual(before);
    expect(await service.outcomes.newest(ACCOUNT)).toBeGreaterThan(before.length);
  });

  it('would be created again if a rebuild moved the cursor back, as the test before would notice', async () => {
    await record('ada');
    const before = await outcomes();
    await service.close();
    await database.sql.query('update outcome_cursors set position = 0', []);
    service = await startService(database.connection, clock, QUIET);
    const after = await outcomes();
    expect(after).not.toEqual(before);
    expect(new Set(after.map(({ id }) => id))).toEqual(new Set(before.map(({ id }) => id)));
  });

  it('are created without reading back what was stored a moment ago', async () => {
    const begun = await told();
    const readBack = (asked: readonly Asked[]) =>
      asked.filter(({ text }) => /join effects on|from rank_changes|select subject, users from user_states/u.test(text))
        .length;
    const followed = await statementsOf(async () => {
      for (const user of ['ada', 'bob', 'ada']) await record(user);
      await told();
    });
    const made = (await told()).slice(begun.length);
    expect([readBack(followed), typesOf(made).includes('leaderboard.rank_changed')]).toEqual([0, true]);
    await service.close();
    await database.sql.query('delete from outcomes', []);
    await database.sql.query('update outcome_cursors set position = 1, sequence = $1', [begun.length]);
    const again = await statementsOf(async () => {
      service = await startService(database.connection, clock, QUIET);
      await told();
    });
    expect(readBack(again)).toBeGreaterThan(2);
    expect(await told()).toEqual(made);
  });

  it('are not created for imported events or for what fell due before the import', async () => {
    const { subject: _, ...command } = lesson('ada', now - 30 * DAY - 2 * HOUR);
    const subject = lesson(await known('ada')).subject;
    await service.engine.submit([{ ...command, subject }]);
    await service.engine.finishImport(ACCOUNT);
    now += 60_000;
    await service.engine.sweep();
    expect(typesOf(await outcomes())).toEqual(['configuration.published', 'import.finished']);
    // The sweep changed others, after the import.
    expect(JSON.parse((await outcomes())[1]?.body ?? '')).toMatchObject({
      finalRuns: [{ leaderboard: 'xp', run: '2026-01-31', runEnd: '2026-02-27' }],
      finalRunsLeftOut: 0,
    });
    await record('ada');
    expect(typesOf(await outcomes())).toContain('streak.started');
  });

  it('report a disabled webhook, whether by the process or by hand', async () => {
    const about = { type: 'WebhookChanged', id: 'a', origin: 'https://example.com', types: null } as const;
    const failure = { status: 410, error: 'was answered with 410' };
    const given = { ...about, change: 'disabled', failure, by: 'process', reason: 'it answered with 410' } as const;
    await service.engine.recordAccountEvent(ACCOUNT, given, now);
    await service.engine.recordAccountEvent(ACCOUNT, { ...about, change: 'enabled', by: 'me' }, now);
    await service.engine.recordAccountEvent(ACCOUNT, { ...about, change: 'disabled', by: 'me' }, now);
    const notified = (await outcomes()).filter(({ type }) => type === 'endpoint.disabled');
    const endpoint = { id: 'a', origin: 'https://example.com' };
    expect(notified.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ endpoint, reason: 'it answered with 410', failure }),
      expect.objectContaining({ endpoint, reason: null, failure: null }),
    ]);
  });

  it('report each start and end of a run once, with the ranking of that moment', async () => {
    const runs = async () =>
      (await outcomes())
        .map(({ body }) => JSON.parse(body) as OutcomeBody)
        .flatMap((body) => (body.type === 'leaderboard.started' || body.type === 'leaderboard.finished' ? [body] : []));
    const inWords = ({ type, timestamp, leaderboard }: Awaited<ReturnType<typeof runs>>[number]) => {
      const rankings = leaderboard.rankings.map(({ userId, value }) => `${userId} ${value}`);
      return [type, timestamp, leaderboard.key, leaderboard.runStart, leaderboard.runEnd, ...rankings].join(' ');
    };
    const userOf = new Map(['ada', 'bob'].map((user) => [lesson(user).subject, user]));
    for (const user of ['ada', 'bob', 'bob']) await record(user);
    now = Date.parse('2026-03-09T00:00:05Z');
    await record('ada');
    await service.engine.sweep();
    // The reader comes late: later events must not show in the outcomes of the beginning.
    await record('bob');
    const started = (await runs()).filter(({ leaderboard }) => leaderboard.key === 'streaks');
    expect(started.map(inWords)).toEqual([
      'leaderboard.started 2026-03-09T00:00:00.000Z streaks 2026-03-09 2026-03-13 ada 1',
    ]);
    now = Date.parse('2026-04-01T12:10:00Z');
    await service.engine.sweep();
    const all = await runs();
    const month = all.filter(({ type, leaderboard }) => type === 'leaderboard.finished' && leaderboard.key === 'xp');
    expect(month.map(inWords)).toEqual([
      expect.stringMatching(/^leaderboard.finished 2026-03-31T12:00:00.000Z xp 2026-02-28 2026-03-30 (ada|bob) \d+ /u),
    ]);
    expect(all.filter(({ leaderboard }) => leaderboard.key === 'lessons')).toEqual([]);
    expect(month[0]?.leaderboard.rankings.map(({ userId, rank, value }) => ({ userId, rank, value }))).toEqual(
      (
        await service.reads.leaderboards.rankings(
          ACCOUNT,
          'xp',
          { start: '2026-02-28', end: '2026-03-30' },
          { offset: 0, limit: 10 },
        )
      ).map(({ subject, rank, value }) => ({ userId: userOf.get(subject), rank, value: jsonAmount(value) })),
    );
    for (const areas of [[], ['leaderboards']] as AreaName[][]) await service.engine.rebuild(areas);
    expect(await service.engine.compareRebuild([])).toEqual([]);
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    await service.engine.sweep();
    expect(await runs()).toEqual(all);
  });

  it('of runs add nothing to the log and do not keep a version from being replaced', async () => {
    now = Date.parse('2026-04-01T12:10:00Z');
    await service.engine.sweep();
    expect(typesOf(await outcomes())).toContain('leaderboard.finished');
    const done = await service.log.readAdministrative(ACCOUNT, null, 100);
    expect(done.map(({ fact }) => fact.type)).toEqual(['ConfigurationPublished']);
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    expect((await service.engine.publishConfiguration(ACCOUNT, document)).current.version).toBe(1);
  });

  it('of a run disappear when any user whom they name is erased', async () => {
    const subject = await record('ada');
    await record('bob');
    now = Date.parse('2026-04-01T12:10:00Z');
    await service.engine.sweep();
    const ended = async () =>
      (await outcomes()).filter(({ type, body }) => type === 'leaderboard.finished' && body.includes('"ada"'));
    expect(await ended()).not.toEqual([]);
    await service.engine.submit([
      { type: 'EraseUser', account: ACCOUNT, subject, boards: 'anonymous', attribution: { by: 'local' } },
    ]);
    while ((await ended()).length > 0);
  });

  it('of a run are not created while an import is open, nor for earlier runs', async () => {
    await service.engine.openImport(ACCOUNT, { unboundedAwards: false, outgoing: true });
    now = Date.parse('2026-04-01T12:10:00Z');
    await service.engine.sweep();
    const runs = async () => (await outcomes()).filter(({ type }) => type === 'leaderboard.finished');
    expect(await runs()).toEqual([]);
    await service.engine.finishImport(ACCOUNT);
    await service.engine.sweep();
    const subjects = (await runs()).map(
      ({ body }) => (JSON.parse(body) as { leaderboard: { runStart: string } }).leaderboard.runStart,
    );
    expect(subjects.sort()[0]).toBe('2026-02-28');
  });

  it('of a user are deleted by the erasure, whose preview names the table', async () => {
    const subject = await record('ada');
    await record('bob');
    const before = await outcomes();
    const asked = { account: ACCOUNT, subject, boards: 'remove' as const, at: now };
    const own = before.filter(({ userKey, body }) => userKey === String(subject) || body.includes('"ada"')).length;
    expect(own).toBeGreaterThan(0);
    expect(await service.placesOfUser(asked)).toContainEqual({ place: 'outcomes', rows: own, becomes: 'deleted' });
    await service.engine.submit([
      { type: 'EraseUser', account: ACCOUNT, subject, boards: 'remove', attribution: { by: 'local' } },
    ]);
    const left = () => database.sql.query('select from outcomes where subject = $1', [subject]);
    while ((await left()).length > 0);
    const after = await outcomes();
    expect(typesOf(after)).toContain('user.erased');
    expect(JSON.stringify(after)).not.toContain('"ada"');
  });

  it('are limited to corrections and erasures when the configuration asks for none', async () => {
    const { document: silent } = parseDocument(HISTORY_CONFIGURATION, 'test');
    await record('ada');
    const before = (await outcomes()).length;
    await service.engine.publishConfiguration(ACCOUNT, silent);
    const subject = await record('bob');
    await service.engine.submit([
      { type: 'EraseUser', account: ACCOUNT, subject, boards: 'remove', attribution: { by: 'local' } },
    ]);
    await record('cyd');
    expect(typesOf(await outcomes()).slice(before)).toEqual(['user.erased']);
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    await service.engine.publishConfiguration(ACCOUNT, document);
    await record('dan');
    const after = (await outcomes()).slice(before);
    expect(typesOf(after).slice(0, 3)).toEqual(['user.erased', 'configuration.published', 'user.created']);
    expect(JSON.stringify(after)).not.toContain('"cyd"');
  });

  it('use the stored top of a run, which is deleted afterwards and after every rebuild', async () => {
    for (const user of ['ada', 'bob', 'ada']) await record(user);
    const before = await outcomes();
    expect(typesOf(before)).toContain('leaderboard.changed');
    const digest = await service.digest(ACCOUNT);
    expect(await firstOfRuns()).toBeGreaterThan(0);
    await service.outcomeReader.deleteOld();
    expect(await firstOfRuns()).toBe(0);
    expect(await service.digest(ACCOUNT)).toEqual(digest);
    expect(await service.engine.compareRebuild([])).toEqual([]);
    await service.engine.rebuild([]);
    expect(await firstOfRuns()).toBeGreaterThan(0);
    expect(await service.digest(ACCOUNT)).toEqual(digest);
    await service.outcomeReader.deleteOld();
    expect(await firstOfRuns()).toBe(0);
    expect(await outcomes()).toEqual(before);
  });

  it('keep the top of a run while the reader has not passed the event', async () => {
    await told();
    let proceed: () => void = () => undefined;
    const mayWrite = new Promise<void>((resolve) => (proceed = resolve));
    const store = service.outcomes as PostgresOutcomes;
    const write = store.write.bind(store);
    const held = jest.spyOn(store, 'write').mockImplementation(async (...step) => {
      await mayWrite;
      return write(...step);
    });
    for (const user of ['ada', 'bob']) await record(user);
    await service.outcomeReader.deleteOld();
    const before = await firstOfRuns();
    proceed();
    held.mockRestore();
    await told();
    await service.outcomeReader.deleteOld();
    expect([before > 0, await firstOfRuns()]).toEqual([true, 0]);
  });

  it('are kept for as long as the configuration says', async () => {
    await record('ada');
    const { length } = await outcomes();
    now += DAY;
    await record('ada');
    await outcomes();
    now += DAY + 1;
    await service.outcomeReader.deleteOld();
    expect(await service.outcomes.oldest(ACCOUNT)).toBe(length + 1);
    const kept = await service.outcomes.read(ACCOUNT, { after: 0, limit: 1_000 });
    expect(kept[0]?.sequence).toBe(length + 1);
  });

  it('are kept longer for a webhook that is behind, but not forever', async () => {
    await service.close();
    const failed = (error: unknown) => {
      throw error;
    };
    const started = await startWithWebhooks({
      connection: database.connection,
      clock,
      events: QUIET,
      webhooks: {
        account: ACCOUNT,
        retryScale: 1,
        box: new SecretBox(() => 'a key that nobody guesses'),
        allow: [],
        onFailure: failed,
        onDisabled: failed,
        onForgetFailure: failed,
      },
      space: null,
    });
    const { webhooks } = started;
    service = started.service;
    await record('ada');
    const before = (await outcomes()).length;
    const { id } = await webhooks.create({ url: 'https://example.com/laurel' }, 'me');
    await record('bob');
    const newest = (await outcomes()).length;
    expect(newest).toBeGreaterThan(before);
    now += 2 * DAY + 1;
    await service.outcomeReader.deleteOld();
    expect(await service.outcomes.oldest(ACCOUNT)).toBe(before + 1);
    await webhooks.disable(id, 'me');
    now += 27 * DAY;
    await service.outcomeReader.deleteOld();
    expect(await service.outcomes.oldest(ACCOUNT)).toBe(before + 1);
    now += DAY;
    await service.outcomeReader.deleteOld();
    expect(await service.outcomes.oldest(ACCOUNT)).toBe(newest + 1);
    await webhooks.close();
  });
});
