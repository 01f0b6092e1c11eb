import { ACCOUNT } from '@laurel/kernel';
import { parseDocument } from '@laurel/configuration';
import { typeNumberOf } from '@laurel/event-store';
import { createClock } from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import type { TestDatabase } from '@laurel/testing/database';
import { lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';

const NOW = Date.parse('2026-03-06T08:00:00Z');
const HOUR = 3_600_000;
const clock = createClock({ type: 'frozen', at: NOW });
const HOURLY = '{ type: time, unit: hour, interval: 1, points: 1 }';

let database: TestDatabase;
let service: Service;
beforeEach(async () => {
  database = await openServiceDatabase();
  service = await startService(database.connection, clock, QUIET);
});
afterEach(async () => {
  await service.close();
  await database.close();
});

/** One points system with these triggers. */
async function publish(triggers: readonly string[], more = ''): Promise<void> {
  const system = `points: [{ key: energy, name: Energy, triggers: [${triggers.join(', ')}] ${more} }]`;
  const text = ['version: 1', 'metrics: [{ key: lessons, name: Lessons }]', system].join('\n');
  const { document, problems } = parseDocument(text, 'test');
  if (problems) throw new Error(JSON.stringify(problems));
  await service.engine.publishConfiguration(ACCOUNT, document);
}

const owedSince = (at: number): number => Math.floor((NOW - at) / HOUR);

describe('an imported event that creates its user in the distant past', () => {
  it('is refused with the number of time awards it would owe, and the rest of the file is recorded', async () => {
    await publish([HOURLY]);
    const outcomes = await service.engine.submit([
      lesson('epoch', 0),
      lesson('ada', NOW - 50_000 * HOUR),
      lesson('bob', null),
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'refused', reason: 'too_many_awards', owed: owedSince(0), retryAfterMs: null },
      { kind: 'recorded' },
      { kind: 'recorded' },
    ]);
    const one = NOW - 50_001 * HOUR;
    expect(await service.engine.submit([lesson('eve', one)])).toMatchObject([{ owed: 50_001 }]);
    expect(await service.reads.users.find(ACCOUNT, subjectOf('epoch'))).toBeNull();
  });

  it('is accepted when no awards are due: at the cap or before the trigger is active', async () => {
    await publish(['{ type: user_creation, points: 20 }', HOURLY], ', maxPoints: 20');
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([{ kind: 'recorded' }]);
    await service.engine.publishConfiguration(ACCOUNT, {
      version: 1,
      metrics: [{ key: 'lessons', name: 'Lessons' }],
      points: [
        {
          key: 'later',
          name: 'Later',
          triggers: [{ type: 'time', unit: 'hour', interval: 1, points: 1 }],
        },
      ],
    });
    expect(await service.engine.submit([lesson('bob', 0)])).toMatchObject([{ kind: 'recorded' }]);
  });

  it('owes at most the awards that reach the cap', async () => {
    await publish([HOURLY], ', maxPoints: 50001');
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([{ owed: 50_001 }]);
    await publish([HOURLY], ', maxPoints: 50000');
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([{ kind: 'recorded' }]);
  });

  it('is accepted for an existing user, whenever that user was created', async () => {
    await publish([HOURLY]);
    await service.engine.submit([lesson('ada', null)]);
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([{ kind: 'recorded' }]);
  });

  it('is refused when corrections have left the user without events, because it creates them anew', async () => {
    await publish([HOURLY]);
    const [sent] = await service.engine.submit([lesson('ada', null)]);
    if (sent?.kind !== 'recorded') throw new Error('nothing is recorded');
    const { position, eventId } = sent;
    await service.engine.correct(ACCOUNT, {
      ...{ type: 'CorrectionRecorded', subject: subjectOf('ada'), corrections: [{ position, eventId, retract: true }] },
      ...{
        achievements: 'recompute',
        finalRuns: 'keep',
        preview: 'p',
        keyHash: null,
        by: 'local',
        reason: 'a mistake',
      },
    });
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([
      { kind: 'refused', reason: 'too_many_awards', owed: owedSince(0) },
    ]);
    expect(await service.engine.submit([lesson('ada', NOW - HOUR)])).toMatchObject([{ kind: 'recorded' }]);
    expect(await service.engine.submit([lesson('ada', 0)])).toMatchObject([{ kind: 'recorded' }]);
  });

  it('is accepted by an import opened with unbounded awards until it ends, also after a restart', async () => {
    await publish([HOURLY]);
    const unbounded = { unboundedAwards: true, outgoing: false };
    await service.engine.submit([lesson('ada', null), { ...lesson('bob', NOW) }]);
    expect(await service.engine.openImport(ACCOUNT, unbounded)).toEqual({ opened: true, ...unbounded });
    expect(await service.engine.openImport(ACCOUNT, unbounded)).toEqual({ opened: false, ...unbounded });
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    expect(await service.engine.submit([lesson('eve', 0)])).toMatchObject([{ kind: 'recorded' }]);
    expect(await service.engine.finishImport(ACCOUNT)).toMatchObject({ closed: true });
    expect(await service.engine.submit([lesson('carl', 0)])).toMatchObject([{ reason: 'too_many_awards' }]);
    const opened = await database.sql.query<{ data: unknown }>(
      'select data from events where type = $1 order by position',
      [typeNumberOf('ImportOpened')],
    );
    expect(opened.map(({ data }) => data)).toEqual([null, { unboundedAwards: true }]);
  });
});
