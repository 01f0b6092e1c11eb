import { parseDocument } from '@laurel/configuration';
import { ACCOUNT, repairCommand, type AreaName, type DamagedState } from '@laurel/kernel';
import { createClock } from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import type { TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';

const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');
const clock = createClock({ type: 'frozen', at: Date.parse('2026-03-06T08:00:00Z') });

let notified: DamagedState[];
let database: TestDatabase;
let service: Service;

const start = (): Promise<Service> =>
  startService(database.connection, clock, {
    ...QUIET,
    onAreaFailure: (area, _position, error) => {
      throw new Error(`${area} has stopped`, { cause: error });
    },
    onDamagedState: (damage) => notified.push(damage),
  });

beforeEach(async () => {
  notified = [];
  database = await openServiceDatabase();
  service = await start();
  await service.engine.publishConfiguration(ACCOUNT, document);
  await service.engine.submit([lesson('ada'), lesson('bob')]);
});

afterEach(async () => {
  await service.close();
  await database.close();
});

describe('a user state damaged by SQL', () => {
  it.each([
    ['users', '{}'],
    ['streaks', '{"version": 9}'],
    ['achievements', '"everything"'],
    ['points', '{"v": 99}'],
  ] as const)('in %s blocks only its own user until the named command has run', async (area, damage) => {
    const before = await service.digest(ACCOUNT);
    await service.close();
    await database.sql.query(`update user_states set ${area} = $1::jsonb where subject = $2`, [
      damage,
      subjectOf('ada'),
    ]);
    service = await start();
    const named = { account: ACCOUNT, subject: subjectOf('ada'), area };
    const [ada, bob] = await service.engine.submit([lesson('ada'), lesson('bob')]);
    expect([ada, bob]).toMatchObject([{ reason: 'damaged', damage: named }, { kind: 'recorded' }]);
    expect(service.engine.status().damaged).toMatchObject([named]);

    const areas = repairCommand(notified[0] as DamagedState)
      .split(' ')
      .slice(2) as AreaName[];
    expect(areas).toEqual([area]);
    await service.engine.rebuild(areas);
    expect(service.engine.status().damaged).toEqual([]);
    expect(await service.engine.submit([lesson('ada')])).toMatchObject([{ kind: 'recorded' }]);
    const repaired = await service.digest(ACCOUNT);
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(repaired);
    expect(repaired.position).toBe(before.position + 2);
  });
});

describe('a log record damaged by SQL', () => {
  it('is named by the rebuild that cannot read it', async () => {
    const [row] = await database.sql.query<{ position: string; event_id: string }>(
      `update events set metric = null, value = null where subject = ${subjectOf('bob')} returning position, event_id`,
      [],
    );
    const { position, event_id: eventId } = [row].flat()[0] as { position: string; event_id: string };
    await expect(service.engine.rebuild([])).rejects.toThrow(
      new RegExp(`position ${position} \\(MetricEventRecorded ${eventId}\\)`),
    );
    expect(await service.engine.submit([lesson('bob')])).toMatchObject([{ kind: 'recorded' }]);
  });
});
