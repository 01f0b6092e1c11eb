import { USER_AREAS } from '@laurel/areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { StoreUnavailableError, userKey, type Command, type Subject } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { AwardsLimit, type AwardsLimitParts } from './awards-limit.ts';

const NOW = Date.parse('2026-03-06T08:00:00Z');
const HOUR = 3_600_000;
const HOURLY = '{ type: time, unit: hour, interval: 1, points: 1 }';

const configured = (points: string) => {
  const text = `version: 1\nmetrics: [{ key: lessons, name: Lessons }]\npoints: [{ key: xp, name: XP, ${points} }]`;
  const { document } = parseDocument(text, 'test');
  return compileHistory('default', [{ version: 1, document, publishedAt: NOW }]).current;
};

function limit(points = `triggers: [${HOURLY}]`, more: Partial<AwardsLimitParts> = {}) {
  const asked: Subject[] = [];
  const configuration = configured(points);
  const parts: AwardsLimitParts = {
    userAreas: USER_AREAS,
    users: {
      known: (users) => {
        asked.push(...users.map(({ subject }) => subject));
        return Promise.resolve(new Set([userKey({ account: 'default', subject: subjectOf('known') })]));
      },
    },
    configuration: () => configuration,
    clock: { now: () => NOW },
    ...more,
  };
  const awards = new AwardsLimit(parts);
  return { asked, owed: async (...commands: Command[]) => [...(await awards.exceeding(commands)).values()] };
}

const line = (user: string, occurredAt: number | null = 0): Command => ({
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf(user),
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: null,
  occurredAt,
});

describe('the limit of time awards before the log', () => {
  it('finds the lines that would owe a new user more than 50,000, with the number', async () => {
    const { owed } = limit();
    expect(await owed(line('ada'), line('bob', NOW - 50_000 * HOUR), line('known'), line('eve', null))).toEqual([
      Math.floor(NOW / HOUR),
    ]);
    expect(await owed(line('carl', NOW - 50_001 * HOUR))).toEqual([50_001]);
  });

  it('finds none where the cap leaves nothing due', async () => {
    const { owed } = limit(`maxPoints: 20, triggers: [{ type: user_creation, points: 20 }, ${HOURLY}]`);
    expect(await owed(line('ada'))).toEqual([]);
  });

  it('takes a user for known from the first line on that is accepted', async () => {
    const { owed, asked } = limit();
    expect(await owed(line('ada', NOW - HOUR), line('ada'), line('ada'))).toEqual([]);
    expect(await owed(line('ada'))).toEqual([]);
    expect(asked).toEqual([subjectOf('ada'), subjectOf('ada')]);
  });

  it('finds the same line again, as nothing of it was recorded', async () => {
    const { owed } = limit();
    expect(await owed(line('ada'), line('ada'))).toHaveLength(2);
    expect(await owed(line('ada'))).toHaveLength(1);
  });

  it('finds none while nobody can be looked up', async () => {
    const known = () => Promise.reject(new StoreUnavailableError('away'));
    expect(await limit(undefined, { users: { known } }).owed(line('ada'))).toEqual([]);
  });
});
