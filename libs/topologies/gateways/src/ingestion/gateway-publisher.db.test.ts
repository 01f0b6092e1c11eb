import { StoreUnavailableError, type RecordedEvent, type NewRecord } from '@laurel/kernel';
import { dataSourceOf, sqlReader } from '@laurel/database';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { AppendOutcome } from '@laurel/event-store';
import type { DataSource } from 'typeorm';
import { GatewayConfigurations, INGESTION_MIGRATIONS } from '@laurel/processes';
import { GatewayPublisher } from './gateway-publisher.ts';

const documentOf = (name: string) => ({ version: 1, metrics: [{ key: 'm', name }] });

/** The log that the gateways share. */
class MemoryLog {
  readonly records: RecordedEvent[] = [];
  isAway = false;

  append = (records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> =>
    Promise.resolve(
      records.map((record): AppendOutcome => {
        if (this.isAway) return { kind: 'failed', recorded: 'nothing', error: new Error('away') };
        const kept = { ...record, position: this.records.length + 1 };
        this.records.push(kept);
        return { kind: 'recorded', record: kept };
      }),
    );

  read = (after: number, limit: number) => Promise.resolve(this.records.slice(after, after + limit));

  readAccountEvents = (account: string) =>
    Promise.resolve(this.records.filter((record) => record.account === account && !('subject' in record.fact)));

  addEvent(account: string): void {
    const at = { eventId: 'e', account, configurationVersion: 1, occurredAt: 0, recordedAt: 0 };
    const fact = { type: 'UserIdentified', subject: subjectOf('ann'), user: {} } as const;
    this.records.push({ ...at, fact, position: this.records.length + 1 });
  }

  get versions(): readonly number[] {
    return this.records.flatMap(({ fact }) => (fact.type === 'ConfigurationPublished' ? [fact.version] : []));
  }
}

let database: TestDatabase;
const sources: DataSource[] = [];
let log: MemoryLog;

beforeEach(async () => {
  database = await openTestDatabase(INGESTION_MIGRATIONS);
  log = new MemoryLog();
});
afterEach(async () => {
  await Promise.all(sources.splice(0).map((source) => source.destroy()));
  await database.close();
});

async function gateway(clock = new ManualClock()) {
  const dataSource = await dataSourceOf(database.connection, []).initialize();
  sources.push(dataSource);
  const configurations = new GatewayConfigurations(sqlReader(dataSource), 'publications', clock);
  let announced = 0;
  const announce = () => Promise.resolve(void announced++);
  const publisher = new GatewayPublisher({ store: log, configurations, dataSource, clock, announce });
  return { publisher, configurations, clock, announced: () => announced };
}

const named = (configurations: GatewayConfigurations) => configurations.historyOf('a').current.metrics[0]?.name;

describe('an exclusive section of the publisher', () => {
  it('keeps its publication when a later step fails', async () => {
    const { publisher, configurations } = await gateway();
    const failing = publisher.exclusively('a', async (turn) => {
      await turn.publishConfiguration('a', documentOf('First'));
      throw new Error('what follows');
    });
    await expect(failing).rejects.toThrow('what follows');
    log.addEvent('a');
    await publisher.publishConfiguration('a', documentOf('Second'));
    expect(log.versions).toEqual([1, 2]);
    expect(named(configurations)).toBe('Second');
  });

  it('sees its own publication at once', async () => {
    const { publisher } = await gateway();
    const seen = await publisher.exclusively('a', async (turn) => {
      await turn.publishConfiguration('a', documentOf('First'));
      return turn.publications('a');
    });
    expect(seen).toMatchObject([{ version: 1, document: documentOf('First') }]);
  });

  it('sees the publications of all others, however many sections start at once', async () => {
    const gateways = await Promise.all(Array.from({ length: 4 }, () => gateway()));
    const publishOnce = (publisher: GatewayPublisher) =>
      publisher.exclusively('a', async (turn) => {
        if (turn.publications('a').length > 0) return false;
        await turn.publishConfiguration('a', documentOf('First'));
        return true;
      });
    const done = await Promise.all(
      gateways.flatMap(({ publisher }) => [publishOnce(publisher), publishOnce(publisher)]),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(log.versions).toEqual([1]);
    for (const { configurations, publisher } of gateways) {
      await configurations.refresh();
      expect([named(configurations), publisher.publications('a').length]).toEqual(['First', 1]);
    }
  });

  it('leaves the next one unharmed when it fails, and announces nothing', async () => {
    const { publisher, announced } = await gateway();
    await expect(publisher.exclusively('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await publisher.exclusively('a', () => Promise.resolve('next'))).toBe('next');
    expect([announced(), log.versions]).toEqual([0, []]);
  });
});

describe('a publication', () => {
  it('is the first version, recorded in the log and the table, and announced', async () => {
    const { publisher, configurations, announced } = await gateway();
    await publisher.publishConfiguration('a', documentOf('First'));
    expect(log.versions).toEqual([1]);
    expect(named(configurations)).toBe('First');
    expect(announced()).toBe(1);
    expect(publisher.publications('a')).toMatchObject([{ version: 1, document: documentOf('First') }]);
  });

  it('is visible to every gateway with its author and reason', async () => {
    const [one, other] = [await gateway(), await gateway()];
    await one.publisher.publishConfiguration('a', documentOf('First'));
    await one.publisher.publishConfiguration('b', documentOf('First'), { by: 'a-key', reason: 'why not' });
    await other.configurations.refresh();
    for (const { configurations } of [one, other]) {
      expect(configurations.publications('a')[0]).not.toHaveProperty('by');
      expect(configurations.publications('b')).toMatchObject([{ by: 'a-key', reason: 'why not' }]);
    }
  });

  it('replaces the previous one while the log has no event, and is the next version after that', async () => {
    const { publisher, configurations } = await gateway();
    await publisher.publishConfiguration('a', documentOf('First'));
    await publisher.publishConfiguration('a', documentOf('Corrected'));
    expect(named(configurations)).toBe('Corrected');
    log.addEvent('b');
    await publisher.publishConfiguration('a', documentOf('Again'));
    expect(named(configurations)).toBe('Again');
    log.addEvent('a');
    await publisher.publishConfiguration('a', documentOf('Next'));
    expect(log.versions).toEqual([1, 1, 1, 2]);
    expect(publisher.publications('a').map(({ version }) => version)).toEqual([1, 2]);
  });

  it('follows the previous ones even if the clock of its gateway is behind', async () => {
    const [ahead, behind] = [await gateway(), await gateway()];
    await ahead.clock.advance(60_000);
    await ahead.publisher.publishConfiguration('a', documentOf('First'));
    await behind.publisher.publishConfiguration('a', documentOf('Second'));
    expect(named(behind.configurations)).toBe('Second');
    await ahead.configurations.refresh();
    expect(named(ahead.configurations)).toBe('Second');
  });

  it('has its own version, however many gateways publish at once', async () => {
    log.addEvent('a');
    const gateways = [await gateway(), await gateway()];
    await Promise.all(
      gateways.flatMap(({ publisher }, place) =>
        Array.from({ length: 10 }, (_, n) => publisher.publishConfiguration('a', documentOf(`${place}/${n}`))),
      ),
    );
    expect(log.versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    for (const { configurations } of gateways) {
      await configurations.refresh();
      expect(configurations.historyOf('a').current.version).toBe(20);
    }
  });

  it('fails when the log refuses it, and the next one may succeed', async () => {
    const { publisher, configurations } = await gateway();
    log.isAway = true;
    await expect(publisher.publishConfiguration('a', documentOf('Lost'))).rejects.toThrow(StoreUnavailableError);
    expect(configurations.any).toBe(false);
    log.isAway = false;
    await publisher.publishConfiguration('a', documentOf('First'));
    expect(named(configurations)).toBe('First');
  });
});

describe('a gateway that starts', () => {
  it('reads publications from the log when the table lacks them', async () => {
    const first = await gateway();
    await first.publisher.publishConfiguration('a', documentOf('First'));
    log.addEvent('a');
    await database.sql.query('truncate publications', []);
    const second = await gateway();
    await second.publisher.restore('a');
    expect(named(second.configurations)).toBe('First');
    expect([second.publisher.holdsEvents('a'), second.publisher.holdsEvents('b')]).toEqual([true, false]);
  });

  it('learns of the publications of other gateways', async () => {
    const [one, other] = [await gateway(), await gateway()];
    const troubles: unknown[] = [];
    await other.configurations.follow((error) => troubles.push(error));
    expect(() => other.configurations.historyOf('a')).toThrow('no configuration yet');
    await one.publisher.publishConfiguration('a', documentOf('First'));
    while (!other.configurations.any) await other.clock.advance(500);
    expect(named(other.configurations)).toBe('First');
    other.configurations.stop();
    expect(troubles).toEqual([]);
  });
});
