import { subjectOf } from '@laurel/testing/subjects';
import { AREAS, type ViewRequest, type Subject } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import { InternalClients, InternalServer, OwnerCalls, OwnerDirectory, OwnerUnavailableError } from '@laurel/processes';
import { createClock } from '@laurel/runtime';
import { AnswerClient } from './answer-client.ts';
import { answerHandlers } from './answer-handlers.ts';
import type { Viewed, ViewCall } from './answer-requests.ts';
import { userPart } from './effects.fixture.ts';
import { Correlator } from './correlator.ts';

const TOKEN = 'a token of enough characters';
const PARTITIONS = 4;
const LIMIT_MS = 20_000;
const clock = createClock({ type: 'system' });

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

interface GatewayOptions {
  readonly view?: (request: ViewCall) => Promise<Viewed>;
  /** How long the gateway itself waits for effects; without it, as long as the question allows. */
  readonly waitMs?: number;
}

/** A query gateway as the ingestion gateway sees it. */
async function openGateway({ view = () => Promise.reject(new Error('none')), waitMs }: GatewayOptions = {}) {
  const applied = { areApplied: (_: number, offsets: readonly unknown[]) => Promise.resolve(offsets.map(() => true)) };
  const correlator = new Correlator({ applied, clock, onFailure: () => undefined });
  const asked: number[] = [];
  const counted = {
    gather: (partition: number, eventIds: readonly string[], limitMs: number) => {
      asked.push(partition);
      return correlator.gather(partition, eventIds, waitMs ?? limitMs);
    },
    gatherReady: (partition: number, eventIds: readonly string[], limitMs: number) => {
      asked.push(partition);
      return correlator.gatherReady(partition, eventIds, waitMs ?? limitMs);
    },
  };
  const handlers = answerHandlers({ correlator: counted, view });
  const options = {
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    clock,
    handlers,
    onRefused: () => undefined,
    onClosed: () => undefined,
  };
  const server = await InternalServer.listen(options);
  opened.push(server, { close: () => correlator.own([]) });
  return { correlator, server, asked, address: `127.0.0.1:${server.port}` };
}

function openClient() {
  /** As in the table: partition → address. */
  const table = new Map<number, string>();
  const rows = () => [...table].map(([partition, address]) => ({ partition, address }));
  const owners = new OwnerDirectory({ query: async <R>() => rows() as R[] }, clock);
  const clients = new InternalClients({ token: TOKEN, clock });
  opened.push(clients);
  const failures: unknown[] = [];
  const calls = new OwnerCalls({ owners, clients, clock, onFailure: (...failure) => failures.push(failure) });
  const unanswered: unknown[] = [];
  const client = new AnswerClient(calls, PARTITIONS, clock, (error) => unanswered.push(error));
  return { table, failures, unanswered, client };
}

const OF_ADA = [{ account: 'default', subject: subjectOf('ada'), eventIds: ['e'] }];
const all = [...Array(PARTITIONS).keys()];
const users = [...Array(60).keys()].map((n) => subjectOf(`user-${n}`));
const partitionFor = (subject: Subject) => partitionOf('default', subject, PARTITIONS);
const effectOf = (eventId: string) => userPart(eventId);
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the answer client', () => {
  it('gathers the outcome of an event from the query gateway that owns the partition of the user', async () => {
    const [a, b] = [await openGateway(), await openGateway()];
    const { table, client } = openClient();
    a.correlator.own([0, 1]);
    b.correlator.own([2, 3]);
    for (const partition of all) table.set(partition, partition < 2 ? a.address : b.address);
    const answers = users.map((subject) =>
      client.gather([{ account: 'default', subject, eventIds: [`of ${subject}`] }], LIMIT_MS),
    );
    for (const subject of users)
      for (const { correlator } of [a, b]) correlator.take(partitionFor(subject), [effectOf(`of ${subject}`)]);
    const gathered = (await Promise.all(answers)).flatMap((answer) => [...answer.values()]);
    expect(gathered.map(({ eventId }) => eventId)).toEqual(users.map((subject) => `of ${subject}`));
    expect(gathered.every(({ pending, sections }) => pending.length === 0 && sections.users?.total === 7n)).toBe(true);
  });

  it('sends one request per partition for a batch of many users', async () => {
    const gateway = await openGateway();
    const { table, client } = openClient();
    gateway.correlator.own(all);
    for (const partition of all) table.set(partition, gateway.address);
    const events = users.map((subject) => ({
      account: 'default',
      subject,
      eventIds: [`1 ${subject}`, `2 ${subject}`],
    }));
    for (const { subject, eventIds } of events) gateway.correlator.take(partitionFor(subject), eventIds.map(effectOf));
    const gathered = await client.gather(events, LIMIT_MS);
    expect(gathered.size).toBe(120);
    expect([...gathered.values()].every(({ pending }) => pending.length === 0)).toBe(true);
    expect(gateway.asked.toSorted()).toEqual(all);
  });

  it('shares a request between events of the same turn and answers each as soon as it is known', async () => {
    const gateway = await openGateway();
    const { table, client } = openClient();
    gateway.correlator.own(all);
    for (const partition of all) table.set(partition, gateway.address);
    const answered: string[] = [];
    const answers = users.map(async (subject) => {
      const eventId = `of ${subject}`;
      const gathered = await client.gather([{ account: 'default', subject, eventIds: [eventId] }], LIMIT_MS);
      expect(gathered.get(eventId)?.pending).toEqual([]);
      answered.push(eventId);
    });
    await until(() => gateway.asked.length >= PARTITIONS);
    expect(gateway.asked.toSorted()).toEqual(all);
    const last = users.at(-1) as Subject;
    for (const subject of users)
      if (subject !== last) gateway.correlator.take(partitionFor(subject), [effectOf(`of ${subject}`)]);
    await until(() => answered.length === users.length - 1);
    expect(gateway.asked.length).toBeLessThanOrEqual(3 * PARTITIONS);
    gateway.correlator.take(partitionFor(last), [effectOf(`of ${last}`)]);
    await Promise.all(answers);
  });

  it('asks the new owner when the partition moves during a request', async () => {
    const [a, b] = [await openGateway(), await openGateway()];
    const { table, client, failures } = openClient();
    a.correlator.own(all);
    for (const partition of all) table.set(partition, a.address);
    const answer = client.gather(OF_ADA, LIMIT_MS);
    await until(() => a.asked.length === 1);
    b.correlator.own(all);
    b.correlator.take(partitionFor(subjectOf('ada')), [effectOf('e')]);
    for (const partition of all) table.set(partition, b.address);
    a.correlator.release(all);
    expect((await answer).get('e')?.pending).toEqual([]);
    expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
    expect(failures).toEqual([]);
  });

  it('asks the instance that takes over from one that died', async () => {
    const [a, b] = [await openGateway(), await openGateway()];
    const { table, client } = openClient();
    a.correlator.own(all);
    for (const partition of all) table.set(partition, a.address);
    const answer = client.gather(OF_ADA, LIMIT_MS);
    await until(() => a.asked.length === 1);
    await a.server.close();
    b.correlator.own(all);
    for (const partition of all) table.set(partition, b.address);
    await until(() => b.asked.length === 1);
    b.correlator.take(partitionFor(subjectOf('ada')), [effectOf('e')]);
    expect((await answer).get('e')?.pending).toEqual([]);
  });

  it('returns a pending outcome at the limit when the gateway is missing, dead or knows nothing', async () => {
    // It answers at once: whether the way back takes longer than the client leaves for it is not the question here.
    const gateway = await openGateway({ waitMs: 0 });
    const { table, client, unanswered } = openClient();
    gateway.correlator.own([0]);
    table.set(0, gateway.address);
    table.set(1, '127.0.0.1:1');
    const gathered = await client.gather(
      users.map((subject) => ({ account: 'default', subject, eventIds: [`of ${subject}`] })),
      // Enough for the gateway that is there to answer on a loaded machine.
      2_000,
    );
    expect(gathered.size).toBe(users.length);
    for (const { sections, pending } of gathered.values())
      expect({ sections, pending }).toEqual({ sections: {}, pending: AREAS });
    // The gateway of partition 0 answers that it knows nothing: that is no failure to ask.
    expect(unanswered).toEqual(Array<unknown>(PARTITIONS - 1).fill(expect.any(OwnerUnavailableError)));
  });
});

describe('the view of a replay', () => {
  const request: ViewRequest = {
    account: 'default',
    subject: subjectOf('ada'),
    at: 1,
    metric: 'm',
    originalDate: '2026-01-10',
  };
  const boardsAfter = { source: 2, sent: new Map([[1, 40]]) };

  it('comes from a query gateway under the version that the caller names', async () => {
    const requests: ViewCall[] = [];
    const viewed: Viewed = {
      sections: { points: { awards: [], systems: [{ key: 'xp', total: 5n, added: 0n }] } },
      pending: [],
    };
    const gateway = await openGateway({ view: (question) => (requests.push(question), Promise.resolve(viewed)) });
    const { table, client } = openClient();
    for (const partition of all) table.set(partition, gateway.address);
    expect(await client.view(request, 3, boardsAfter, LIMIT_MS)).toEqual(viewed);
    expect(requests).toMatchObject([{ request, configurationVersion: 3, boardsAfter }]);
  });

  it('is requested again until the gateway knows the version, and is pending at the limit', async () => {
    let asked = 0;
    const viewed: Viewed = { sections: {}, pending: [] };
    const gateway = await openGateway({
      view: () => (asked++ < 3 ? Promise.reject(new Error('version 3 is not known')) : Promise.resolve(viewed)),
    });
    const { table, client, unanswered } = openClient();
    expect(await client.view(request, 3, boardsAfter, 50)).toEqual({ sections: {}, pending: AREAS });
    expect(unanswered).toEqual([expect.any(OwnerUnavailableError)]);
    for (const partition of all) table.set(partition, gateway.address);
    expect(await client.view(request, 3, boardsAfter, LIMIT_MS)).toEqual(viewed);
    expect(asked).toBe(4);
  });
});

it('the answer client looks for the owner of the topic of effects', async () => {
  const topics: string[] = [];
  const client = new AnswerClient(
    { ask: (request) => (topics.push(request.topic), Promise.reject(new Error('none'))) },
    PARTITIONS,
    clock,
    () => undefined,
  );
  await client.gather(OF_ADA, LIMIT_MS);
  expect(topics).toEqual([TOPICS.effects]);
});
