import { USER_AREAS } from '@laurel/all-areas';
import { randomUUID } from 'node:crypto';
import { moveSteps, rebuildService, startUserStep, userStep, userStepDefinition } from '@laurel/chain';
import { parseDocument } from '@laurel/configuration';
import { AREAS, type AreaName, type DomainEvent, type NewRecord } from '@laurel/kernel';
import { CHAIN_SERVICES, stepsOf, stepText, type ChainServiceName, type ChainStep } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { PostgresRelayStore, Relay } from '@laurel/engine';
import { PostgresEventStore } from '@laurel/event-store';
import { startBoardsStep } from '@laurel/partitioned-boards';
import {
  INGESTION_MIGRATIONS,
  type OpenSchema,
  openSchema,
  type ProcessFrame,
  recordedSteps,
  SCHEMAS,
  topicsFor,
} from '@laurel/processes';
import { createLogger, Shutdown } from '@laurel/runtime';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { compareWithStandalone } from '@laurel/testing/distributed';
import { MemoryEventStream } from '@laurel/testing/event-stream';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import { chainProgress } from './chain-progress.ts';
import { STATE_VERSIONS } from './state-versions.ts';

const PARTITIONS = 3;
const SETTLED_WITHIN_MS = 60_000;
const HOUR = 3_600_000;
const FROM = Date.parse('2026-03-06T00:00:00Z');
const USERS = ['ada', 'ben', 'cleo', 'dan', 'eve'];
const EVENTS = 150;

const form = (...steps: readonly (readonly AreaName[])[]): readonly ChainStep[] => steps.flatMap(stepsOf);
const DIVIDED = form(...CHAIN_SERVICES.map(({ areas }) => areas));
const FUSED = form(AREAS);
const areasOf = (name: ChainServiceName): readonly AreaName[] =>
  CHAIN_SERVICES.find((service) => service.name === name)?.areas ?? [];
const STREAKS = areasOf('streak-service');
const ACHIEVEMENTS = areasOf('achievement-service');
const POINTS = areasOf('points-service');
const BOARDS = areasOf('leaderboard-service');
const OF_USERS = [...STREAKS, ...ACHIEVEMENTS, ...POINTS].join(',');
const AFTER_STREAKS = form(STREAKS, [...ACHIEVEMENTS, ...POINTS], BOARDS);
const BEFORE_POINTS = form([...STREAKS, ...ACHIEVEMENTS], [...POINTS, ...BOARDS]);

const documentOf = (text: string): unknown => {
  const { document, problems } = parseDocument(text, 'test');
  if (problems) throw new Error(JSON.stringify(problems));
  return document;
};

/** An installation: a log, topics, and processes in one form after another. */
class Installation {
  readonly #database: TestDatabase;
  readonly #ingestion: OpenSchema;
  readonly #log: PostgresEventStore;
  readonly #stream = new MemoryEventStream();
  readonly #relay: Relay;
  readonly #subjects: readonly number[];
  #recorded = 0;
  #version = 0;

  private constructor(
    database: TestDatabase,
    ingestion: OpenSchema,
    log: PostgresEventStore,
    subjects: readonly number[],
  ) {
    this.#database = database;
    this.#ingestion = ingestion;
    this.#log = log;
    this.#subjects = subjects;
    this.#relay = new Relay({
      log,
      producer: {
        send: async (messages) => (await this.#stream.openProducer()).send(messages),
      },
      store: new PostgresRelayStore(ingestion.statements),
      dataKeys: new PostgresDirectory(ingestion.sql),
      partitions: PARTITIONS,
      clock: systemClock,
      onTrouble: (error) => {
        throw error;
      },
    });
  }

  static async open(): Promise<Installation> {
    const database = await openTestDatabase([]);
    const ingestion = await openSchema(database.connection, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
    const directory = new PostgresDirectory(ingestion.sql);
    const subjects = await Promise.all(USERS.map((user) => directory.assign('default', user)));
    const config = clientConfig(ingestion.connection);
    const log = await PostgresEventStore.open({ config, sql: ingestion.sql, keys: directory, clock: systemClock });
    const installation = new Installation(database, ingestion, log, subjects);
    await installation.#stream.ensureTopics(topicsFor({ partitions: PARTITIONS, replication: 1 }));
    await installation.publish(HISTORY_CONFIGURATION);
    return installation;
  }

  async publish(text: string): Promise<void> {
    const version = ++this.#version;
    const document = documentOf(text);
    const at = this.#instant();
    await this.#ingestion.sql.query(
      `insert into publications (account, version, document, published_at) values ('default', $1, $2, $3)`,
      [version, JSON.stringify(document), new Date(at)],
    );
    await this.#append([this.#record({ type: 'ConfigurationPublished', version, document })]);
  }

  /** Events of all users, over days; some bring a time zone, and everybody is swept now and then. */
  async record(events: number): Promise<void> {
    const records: NewRecord[] = [];
    for (let n = 0; n < events; n++) {
      const place = this.#recorded++;
      const subject = this.#subjects[(place * 7) % USERS.length] as number;
      records.push(
        this.#record({
          type: 'MetricEventRecorded',
          subject,
          metric: place % 3 === 0 ? '__proto__' : 'lessons',
          value: BigInt((place % 5) - 1) * 1_500_000n,
          user: place % 11 === 0 ? { tz: place % 2 === 0 ? 'Asia/Tokyo' : 'America/New_York' } : {},
          attributes: new Map(),
          keyHash: null,
          imported: false,
        }),
      );
      if (place % 40 === 39) records.push(this.#record({ type: 'UsersSwept', subjects: [...this.#subjects] }));
    }
    await this.#append(records);
  }

  /** Runs these steps until they have applied the whole log. */
  async run(steps: readonly ChainStep[]): Promise<void> {
    while (await this.#relay.publish());
    await this.#inFrame(async (frame) => {
      for (const step of steps) {
        const service = await (step.output === null
          ? startBoardsStep(frame)
          : startUserStep(frame, userStepDefinition(step, USER_AREAS)));
        frame.shutdown.register(step.name, () => service.close());
      }
      await this.#settled(steps);
    });
  }

  move(to: readonly ChainStep[]): Promise<void> {
    return this.#inFrame((frame) => moveSteps(frame, to));
  }

  rebuild(areas: readonly AreaName[]): Promise<void> {
    const [step] = stepsOf(areas) as [ChainStep];
    return this.#inFrame((frame) => rebuildService(frame, userStep(userStepDefinition(step, USER_AREAS))));
  }

  async #inFrame(work: (frame: ProcessFrame) => Promise<void>): Promise<void> {
    const logger = createLogger('silent');
    const shutdown = new Shutdown(logger);
    const environment = {
      ...{
        database: this.#database.connection,
        partitions: PARTITIONS,
        host: '127.0.0.1',
        advertisedHost: '127.0.0.1',
      },
      ...{ internalPort: 0, internalToken: 'a token for the test of steps' },
    };
    const frame = {
      environment,
      clock: systemClock,
      stream: this.#stream,
      logger,
      shutdown,
    } as unknown as ProcessFrame;
    try {
      await work(frame);
    } finally {
      await shutdown.stop();
    }
  }

  recorded(): Promise<readonly ChainStep[]> {
    return recordedSteps(this.#database.sql);
  }

  digests() {
    return compareWithStandalone(this.#database.connection, 'default');
  }

  /** Bytes in the topics between the services of a user. */
  async sentWithin(): Promise<number> {
    const topics = CHAIN_SERVICES.flatMap(({ output }) => (output === null ? [] : [output])).slice(0, -1);
    const bounds = await Promise.all(topics.map((topic) => this.#stream.bounds(topic)));
    return bounds.flat().reduce((sum, { end }) => sum + end, 0);
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#ingestion.close();
    await this.#stream.close();
    await this.#database.close();
  }

  async #settled(steps: readonly ChainStep[]): Promise<void> {
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const published = this.#relay.position;
      const parts = { sql: this.#database.sql, stream: this.#stream, clock: systemClock, partitions: PARTITIONS };
      const { services, areas } = await chainProgress({
        ...parts,
        published,
        steps: await this.recorded(),
        stateVersions: STATE_VERSIONS,
      });
      expect(services.flatMap(({ stopped }) => stopped)).toEqual([]);
      expect(services.map(({ service }) => service)).toEqual(steps.map(({ name }) => name));
      if (areas.every(({ position }) => position === published)) return;
      if (performance.now() > deadline)
        throw new Error(`not applied: ${JSON.stringify({ services, areas, published })}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #instant(): number {
    return FROM + this.#recorded * 2.5 * HOUR;
  }

  #record(fact: DomainEvent): NewRecord {
    const at = this.#instant();
    return {
      ...{ eventId: randomUUID(), account: 'default', configurationVersion: this.#version },
      ...{ occurredAt: at, recordedAt: at, fact },
    };
  }

  async #append(records: readonly NewRecord[]): Promise<void> {
    for (const outcome of await this.#log.append(records)) expect(outcome.kind).toBe('recorded');
  }
}

let installation: Installation;
beforeEach(async () => {
  installation = await Installation.open();
});
afterEach(() => installation?.close());

describe('the read models', () => {
  it.each([
    ['in one step per service', DIVIDED],
    ['in one step for all user areas', FUSED],
    ['in steps divided after streaks', AFTER_STREAKS],
    ['in steps divided before points', BEFORE_POINTS],
  ])('equal those of a single writer when the areas are applied %s', async (_what, steps) => {
    await installation.record(EVENTS / 2);
    await installation.publish(HISTORY_CONFIGURATION.replace('points: 10', 'points: 12'));
    await installation.record(EVENTS / 2);
    await installation.run(steps);
    const { distributed, standalone } = await installation.digests();
    expect(distributed).toEqual(standalone);
    expect(standalone.lines.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(EVENTS);
    expect((await installation.recorded()).map(stepText)).toEqual(steps.map(stepText));
    if (steps === FUSED) expect(await installation.sentWithin()).toBe(0);
  });

  it('equal those of a single writer after the steps were divided and joined repeatedly', async () => {
    const forms = [DIVIDED, FUSED, DIVIDED, AFTER_STREAKS, BEFORE_POINTS, FUSED, AFTER_STREAKS];
    for (const steps of forms) {
      await installation.move(steps);
      await installation.record(EVENTS / 5);
      await installation.run(steps);
    }
    const { distributed, standalone } = await installation.digests();
    expect(distributed).toEqual(standalone);
  });
});

it('a process refuses to start with other steps than the areas were applied in, with the remedy', async () => {
  await installation.run(DIVIDED);
  await expect(installation.run(FUSED)).rejects.toThrow(
    `users,streaks are applied in the step users,streaks, not in ${OF_USERS}: run this program with the words steps move`,
  );
  await installation.move(FUSED);
  await expect(installation.run(DIVIDED)).rejects.toThrow(`applied in the step ${OF_USERS}`);
  await installation.run(FUSED);
});

describe('a rebuild', () => {
  it('of all user areas in one step reads only the log', async () => {
    await installation.record(EVENTS / 3);
    await installation.run(FUSED);
    await installation.rebuild([...STREAKS, ...ACHIEVEMENTS, ...POINTS]);
    await installation.record(EVENTS / 3);
    await installation.run(FUSED);
    const { distributed, standalone } = await installation.digests();
    expect(distributed).toEqual(standalone);
  });

  it('that needs a topic within a step names the step', async () => {
    await installation.run(FUSED);
    await expect(installation.rebuild(POINTS)).rejects.toThrow(
      `Run apps/area-service with LAUREL_STEPS=${OF_USERS} instead`,
    );
  });

  it('that needs messages nobody has sent says which steps can be rebuilt', async () => {
    await installation.run(DIVIDED);
    await installation.move(FUSED);
    await installation.move(DIVIDED);
    await installation.run(DIVIDED);
    await installation.rebuild(ACHIEVEMENTS);
    await installation.move(FUSED);
    await installation.record(EVENTS / 3);
    await installation.run(FUSED);
    await installation.move(DIVIDED);
    await expect(installation.rebuild(ACHIEVEMENTS)).rejects.toThrow(
      'laurel.2.streaks lacks the records that were applied while no step wrote it',
    );
    await installation.rebuild(STREAKS);
    await installation.move(FUSED);
    await installation.rebuild([...STREAKS, ...ACHIEVEMENTS, ...POINTS]);
    const { distributed, standalone } = await installation.digests();
    expect(distributed).toEqual(standalone);
  });
});
