import { AREAS } from '@laurel/kernel';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import {
  BlockedCommits,
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

/** Between two crashes. */
const EVENTS = 30;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;
let fused: ServiceProcess;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    steps: [AREAS.join(',')],
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
  fused = topology.of('users-to-points+leaderboard-service')[0] as ServiceProcess;
  load = Load.on(topology, 12);
});

afterAll(async () => {
  await load?.stop();
  await running?.stop();
});

const more = async (): Promise<void> => {
  await load?.more(EVENTS);
};

/** @param place the service whose schema has the checkpoint that is held */
async function killBeforeCommit(place: string, commits: 'lost' | 'late'): Promise<void> {
  const blocked = await BlockedCommits.hold(topology, place);
  try {
    const pids = await blocked.waiting();
    await fused.kill();
    if (commits === 'lost') await blocked.abort(pids);
  } finally {
    await blocked.release();
  }
}

describe('a process with all areas under a load of parallel posts', () => {
  beforeAll(more);

  it.each([
    ['the step of the users', 'streak-service', 'lost'],
    ['the step of the users', 'streak-service', 'late'],
    ['the step of the leaderboards', 'leaderboard-service', 'lost'],
  ] as const)(
    'continues after it was killed before a commit of %s (%s), which is %s',
    async (_step, place, commits) => {
      await killBeforeCommit(place, commits);
      await fused.start();
      await more();
    },
  );

  it('continues after it was frozen', async () => {
    fused.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    fused.signal('SIGCONT');
    await more();
  });

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    await load?.stop();
    const { services } = await caughtUp(topology);
    expect(services?.map(({ service, stopped }) => [service, stopped])).toEqual([
      ['users-to-points', []],
      ['leaderboard-service', []],
    ]);
    expect(load?.violations).toEqual([]);
    expect(await differencesOf(topology, load as Load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('answers a repeated event with the original event and all its effects', async () => {
    const post = async () => {
      const response = await fetch(`${topology.url}/api/metrics/lessons/event`, {
        method: 'POST',
        headers: { 'x-api-key': topology.apiKey, 'content-type': 'application/json', 'idempotency-key': 'again' },
        body: JSON.stringify({ user: { id: 'replayer' }, value: 1 }),
      });
      return { status: response.status, body: (await response.json()) as { eventId: string; pending?: unknown } };
    };
    const first = await post();
    expect(first).toMatchObject({ status: 201 });
    await caughtUp(topology);
    const again = await post();
    expect(again).toMatchObject({ status: 202, body: { eventId: first.body.eventId } });
    expect(again.body.pending).toBeUndefined();
  });

  it('stores what a standalone makes of the same log', async () => {
    await caughtUp(topology);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
    expect(distributed.lines.map(({ rows }) => rows > 0)).toEqual(distributed.lines.map(() => true));
  });
});
