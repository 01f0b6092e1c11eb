import { CHAIN_SERVICES, OUTCOMES_TOPIC } from '@laurel/ports';
import { ADA, ADAS_SECRETS, Client, foundIn, HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import {
  BlockedCommits,
  Load,
  caughtUp,
  comparableOutcomes,
  compactSoon,
  compareWithStandalone,
  differencesOf,
  eventually,
  leaderOf,
  outcomeIdIn,
  outcomesOfStandalone,
  rankWords,
  recountedRanks,
  startTestTopology,
  notifiedOutcomes,
  topicTexts,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

const CHAIN = CHAIN_SERVICES.map(({ name }) => name);
const OUTCOMES = `outgoing:
  announceTop: 5
  events:
    - configuration.published
    - user.created
    - streak.started
    - streak.extended
    - streak.lost
    - achievement.completed
    - points.changed
    - points.level_changed
    - leaderboard.rank_changed
    - leaderboard.rank_lost
    - leaderboard.changed
`;
const BOARDS = [
  { key: 'lessons-all', metric: 'lessons', daily: false, announceTop: 5 },
  { key: 'words-all', metric: 'words', daily: false, announceTop: 5 },
  { key: 'words-daily', metric: 'words', daily: true, announceTop: 5 },
];
/** Whenever it is, the first two have different dates. */
const ZONES = ['Pacific/Kiritimati', 'Pacific/Niue', 'UTC'];
/** The order in which the boards' owner takes events of different users is the topology's own. */
const withoutRanks = (bodies: readonly string[]): readonly string[] =>
  bodies.filter((body) => !body.includes('"type":"leaderboard.'));
/** Between two crashes. */
const EVENTS = 30;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: `${HTTP_SUITE_CONFIGURATION}${OUTCOMES}`,
    outgoing: true,
    instances: { 'ingestion-gateway': 2 },
    // Callers do not wait long for a service that is being started again.
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
  load = Load.on(topology, 12, { zones: ZONES });
});

afterAll(async () => {
  await load?.stop();
  await running?.stop();
});

const more = async (events: number = EVENTS): Promise<void> => {
  await load?.more(events);
};

const only = (service: string): ServiceProcess => topology.of(service)[0] as ServiceProcess;

async function publishAnother(): Promise<void> {
  const headers = { 'x-api-key': topology.apiKey, 'content-type': 'application/json' };
  const url = `${topology.url}/admin/v1/configurations`;
  const current = await fetch(`${url}/current`, { headers });
  const { document } = (await current.json()) as { document: { points: [{ triggers: [{ points: number }] }] } };
  document.points[0].triggers[0].points = 20;
  const published = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ document }) });
  expect(published.status).toBe(201);
}

/** Kills a process while what it has sent waits for its commit. @param commits what becomes of those that wait */
async function killBetweenSendingAndCommit(process: ServiceProcess, place: string, commits: 'lost' | 'late') {
  const blocked = await BlockedCommits.hold(topology, place);
  try {
    const pids = await blocked.waiting();
    await process.kill();
    if (commits === 'lost') await blocked.abort(pids);
  } finally {
    await blocked.release();
  }
}

describe('the distributed topology under a load of parallel posts', () => {
  beforeAll(() => more());

  it.each(CHAIN)('continues when the %s is killed between sending and a commit that is lost', async (service) => {
    await killBetweenSendingAndCommit(only(service), service, 'lost');
    await only(service).start();
    await more();
  });

  it('continues when each service is killed between sending and a commit that still succeeds', async () => {
    // From the end of the chain: behind one that is dead nobody has anything to commit.
    for (const service of CHAIN.toReversed()) await killBetweenSendingAndCommit(only(service), service, 'late');
    await more();
    await Promise.all(CHAIN.map((service) => only(service).start()));
    await more();
  });

  it.each(['lost', 'late'] as const)(
    'continues when the relay is killed between sending and its commit, which is %s',
    async (commits) => {
      const publishing = await leaderOf(topology);
      await killBetweenSendingAndCommit(publishing, 'relay', commits);
      await more();
      await publishing.start();
    },
  );

  it('continues when a version is published without one service and the other gateway is killed', async () => {
    await only('points-service').kill();
    await publishAnother();
    const publishing = await leaderOf(topology);
    const other = topology.of('ingestion-gateway').find((gateway) => gateway !== publishing) as ServiceProcess;
    await Promise.all([other.kill(), only('outgoing-service').kill()]);
    await more();
    await Promise.all([other.start(), only('points-service').start(), only('outgoing-service').start()]);
    await more();
  });

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    await load?.stop();
    await caughtUp(topology);
    expect(load?.violations).toEqual([]);
    expect(load?.counts.pending).toBeGreaterThan(0);
    expect(load?.counts.retries).toBeGreaterThan(0);
    expect(await differencesOf(topology, load as Load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('stores what a standalone makes of the same log', async () => {
    const { services } = await caughtUp(topology);
    expect(services?.flatMap(({ stopped }) => stopped)).toEqual([]);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
    expect(distributed.lines.map(({ rows }) => rows > 0)).toEqual(distributed.lines.map(() => true));
  });

  it.each(BOARDS)('publishes the ranks on $key that a recount of the log gives', async (board) => {
    const expected = await recountedRanks(topology, board);
    expect(new Set(expected.map((words) => words.split(' ')[0])).size).toBe(3);
    if (board.daily) expect(new Set(expected.map((words) => words.split(' ')[2])).size).toBeGreaterThan(1);
    let notified: readonly string[] = [];
    const isNotified = async () => {
      notified = (await notifiedOutcomes(topology)).flatMap((body) => rankWords(body, board) ?? []).sort();
      return notified.length >= expected.length;
    };
    await eventually(topology, 'every rank was told', isNotified, 60_000, () => [notified.length, expected.length]);
    expect(notified).toEqual(expected);
  });

  it('publishes every outcome of the log once, as a standalone does', async () => {
    const expected = withoutRanks(await outcomesOfStandalone(topology.postgres.connection, 'default'));
    expect(expected.length).toBeGreaterThan(100);
    let notified: readonly string[] = [];
    const isNotified = async () =>
      withoutRanks((notified = await notifiedOutcomes(topology))).length >= expected.length;
    await eventually(topology, 'everything was told', isNotified, 60_000, () => [notified.length, expected.length]);
    const compared = comparableOutcomes(withoutRanks(notified), expected);
    expect(compared.one).toEqual(compared.other);
    expect(compared.withUser).toBeGreaterThan(expected.length / 2);
    let inTopic = new Set<string>();
    const isSent = async () => {
      inTopic = new Set((await topicTexts(topology, [OUTCOMES_TOPIC])).map(outcomeIdIn));
      return inTopic.size >= notified.length;
    };
    await eventually(topology, 'everything is in the topic', isSent, 60_000, () => [inTopic.size, notified.length]);
    expect(inTopic).toEqual(new Set(notified.map(outcomeIdIn)));
  });

  it('removes an erased user from the compacted topic of outcomes and keeps outcomes of others', async () => {
    const client = new Client(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));
    const { id, ...profile } = ADA;
    const texts = () => topicTexts(topology, [OUTCOMES_TOPIC]);
    const namesAda = (text: string): boolean => foundIn(text, ADAS_SECRETS).length > 0;
    const outcomeId = (text: string): string => text.slice(0, text.indexOf(' '));
    expect((await client.send('PUT', `/v1/users/${id}`, { body: profile })).status).toBe(200);
    const body = { user: { id }, value: 100_000 };
    expect((await client.send('POST', '/v1/metrics/words/event', { body })).status).toBe(201);
    // She overtakes others, who are notified.
    let naming: readonly string[] = [];
    const isNotified = async () => {
      naming = (await texts()).filter(namesAda);
      return ['leaderboard.rank_lost', 'user.created'].every((type) =>
        naming.some((text) => text.includes(`"${type}"`)),
      );
    };
    await eventually(topology, 'what she caused is in the topic', isNotified, 60_000, () => naming);
    const of = new Set((await texts()).filter(namesAda).map(outcomeId));
    const others = new Set((await texts()).map(outcomeId).filter((outcome) => !of.has(outcome)));
    await compactSoon(topology, OUTCOMES_TOPIC);
    const { json: preview } = await client.send('DELETE', `/admin/v1/users/${id}?preview=true`);
    const { json: erased } = await client.send(
      'DELETE',
      `/admin/v1/users/${id}?previewId=${preview.previewId}&reason=asked`,
    );
    const place = erased.places.find((one: { readonly place: string }) => one.place === OUTCOMES_TOPIC);
    expect(place).toEqual({ place: OUTCOMES_TOPIC, rows: expect.any(Number), becomes: 'compacted_away' });
    expect(place.rows).toBeGreaterThanOrEqual(of.size);
    let left: readonly string[] = [];
    const isGone = async () => (left = (await texts()).filter(namesAda)).length === 0;
    await eventually(topology, 'nothing in the topic names her', isGone, 60_000, () => left);
    const kept = new Set((await texts()).map(outcomeId));
    expect([...others].filter((outcome) => !kept.has(outcome))).toEqual([]);
  });
});
