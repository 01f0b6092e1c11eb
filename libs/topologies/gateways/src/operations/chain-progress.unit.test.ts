import { AREAS, type AreaName, type SqlReader } from '@laurel/kernel';
import { CHAIN_SERVICES, stepOf, stepsOf, TOPICS } from '@laurel/ports';
import { ManualClock } from '@laurel/testing/clock';
import { chainProgress } from './chain-progress.ts';

const SCHEMAS = ['laurel_streak', 'laurel_achievement', 'laurel_points', 'laurel_leaderboard'] as const;
const INPUTS = [TOPICS.log, TOPICS.streaks, TOPICS.achievements, TOPICS.points];

interface Row {
  readonly partition: number;
  readonly next_offset: string;
  readonly position: string;
  readonly failure: { readonly offset: number; readonly reason: string } | null;
}

const row = (partition: number, nextOffset: number, position: number, failure: Row['failure'] = null): Row => ({
  partition,
  next_offset: String(nextOffset),
  position: String(position),
  failure,
});

/** Services that have all come to the end of two partitions with ten messages each, but for what a test says. */
function open(
  rows: Partial<Record<(typeof SCHEMAS)[number], readonly Row[]>> = {},
  starts: readonly number[] = [0, 0],
) {
  const asked: string[] = [];
  const sql: SqlReader = {
    query: <R extends object>(text: string) => {
      const schema = SCHEMAS.find((one) => text.includes(`${one}.`)) as (typeof SCHEMAS)[number];
      asked.push(schema);
      return Promise.resolve((rows[schema] ?? [row(0, 10, 90), row(1, 10, 100)]) as unknown as R[]);
    },
  };
  const stream = {
    bounds: (topic: string) => {
      asked.push(topic);
      return Promise.resolve(starts.map((start) => ({ start, end: 10 })));
    },
  };
  const clock = new ManualClock();
  const steps = CHAIN_SERVICES.map((service) => stepOf([service]));
  const stateVersions = new Map<AreaName, number>([['points', 3]]);
  return { asked, clock, parts: { sql, stream, clock, steps, stateVersions, published: 100, partitions: 2 } };
}

/** What is said of each service, of each of its areas. */
const ofAreas = <T>(...ofServices: readonly T[]): readonly T[] =>
  CHAIN_SERVICES.flatMap(({ areas }, place) => areas.map(() => ofServices[place] as T));
const positions = ({ areas }: Awaited<ReturnType<typeof chainProgress>>) => areas.map(({ position }) => position);

describe('the progress of the chain', () => {
  it('is the end of the log when every service has reached the end of its input', async () => {
    const progress = await chainProgress(open().parts);
    expect(positions(progress)).toEqual(ofAreas(100, 100, 100, 100));
    expect(progress.services.map(({ behind, stopped }) => [behind, stopped])).toEqual(SCHEMAS.map(() => [0, []]));
    expect(progress.areas.map(({ stateVersion }) => stateVersion)).toEqual(
      AREAS.map((area) => (area === 'points' ? 3 : 0)),
    );
  });

  it('is that of the slowest partition, also for the services behind it', async () => {
    const progress = await chainProgress(open({ laurel_achievement: [row(0, 10, 40), row(1, 7, 70)] }).parts);
    expect(positions(progress)).toEqual(ofAreas(100, 70, 70, 70));
    expect(progress.services.map(({ behind }) => behind)).toEqual([0, 3, 0, 0]);
  });

  it('is 0 when a partition was never started', async () => {
    const progress = await chainProgress(open({ laurel_points: [row(0, 10, 90)] }).parts);
    expect(positions(progress)).toEqual(ofAreas(100, 100, 0, 0));
  });

  it('is the same for each area of a step, read from the checkpoint in its first schema', async () => {
    const steps = stepsOf(AREAS);
    const { asked, parts } = open({ laurel_streak: [row(0, 10, 90), row(1, 4, 40)], laurel_points: [] });
    const progress = await chainProgress({ ...parts, steps });
    expect(positions(progress)).toEqual(ofAreas(40, 40, 40, 40));
    expect(progress.services.map(({ service, behind }) => [service, behind])).toEqual([
      ['users-to-points', 6],
      ['leaderboard-service', 0],
    ]);
    expect(asked).toEqual([TOPICS.log, 'laurel_streak', TOPICS.points, 'laurel_leaderboard']);
  });

  it('names halted partitions with the reason', async () => {
    const failure = { offset: 5, reason: 'it cannot be read' };
    const progress = await chainProgress(open({ laurel_streak: [row(0, 10, 90), row(1, 5, 50, failure)] }).parts);
    expect(progress.services[0]?.stopped).toEqual([{ partition: 1, ...failure }]);
    expect(progress.areas.map((area) => area.failure)).toEqual(
      ofAreas('partition 1, offset 5: it cannot be read', null, null, null),
    );
  });

  it('names deleted messages, whether they were applied or not', async () => {
    const progress = await chainProgress(open({ laurel_streak: [row(0, 10, 90), row(1, 4, 40)] }, [7, 7]).parts);
    expect(progress.services[0]).toMatchObject({
      behind: 6,
      deleted: [
        { partition: 0, nextOffset: 10, start: 7 },
        { partition: 1, nextOffset: 4, start: 7 },
      ],
    });
    const whole = await chainProgress(open({}, [0, 7]).parts);
    expect(whole.services[1]?.deleted).toEqual([{ partition: 1, nextOffset: 10, start: 7 }]);
  });

  it('is read from front to back, each end before the checkpoints', async () => {
    const { asked, parts } = open();
    await chainProgress(parts);
    expect(asked).toEqual(SCHEMAS.flatMap((schema, place) => [INPUTS[place], schema]));
  });

  it('is the certain minimum while the broker does not answer, which is awaited once', async () => {
    const { parts, clock } = open();
    const progress = chainProgress({ ...parts, stream: { bounds: () => new Promise(() => undefined) } });
    await clock.advance(3_000);
    expect(positions(await progress)).toEqual(ofAreas(90, 90, 90, 90));
    expect((await progress).services.map(({ behind }) => behind)).toEqual([null, null, null, null]);
  });

  it.each([
    ['a service that was never started', []],
    ['a partition that was never begun', [row(0, 10, 90)]],
  ])('is 0 behind %s while the broker does not answer', async (_, points) => {
    const { parts } = open({ laurel_points: points });
    const progress = await chainProgress({ ...parts, stream: { bounds: () => Promise.reject(new Error('away')) } });
    expect(positions(progress)).toEqual(ofAreas(90, 90, 0, 0));
    expect(progress.services[2]).toEqual({
      service: 'points-service',
      behind: null,
      stopped: [],
      lagging: [],
      deleted: [],
    });
  });
});
