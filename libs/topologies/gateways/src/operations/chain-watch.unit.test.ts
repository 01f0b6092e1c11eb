import type { ServiceProgress } from '@laurel/chain';
import { AREAS } from '@laurel/kernel';
import { VirtualClock } from '@laurel/testing/clock';
import { ChainWatch, type ChainReading } from './chain-watch.ts';

const TOPICS = ['laurel.2.log', 'laurel.2.points'];
const NAMES = ['streak-service', 'achievement-service', 'points-service', 'leaderboard-service'];

const service = (name: string, more: Partial<ServiceProgress> = {}): ServiceProgress => ({
  service: name,
  behind: 0,
  stopped: [],
  lagging: [],
  deleted: [],
  ...more,
});

/** Everything is applied and everybody is there, but for what a test says. */
const reading = (more: Partial<ChainReading> = {}): ChainReading => ({
  services: NAMES.map((name) => service(name)),
  areas: AREAS.map((area) => ({ area, position: 100, stateVersion: 1, failure: null })),
  published: 100,
  head: 100,
  members: new Map([...NAMES, 'query-gateway'].map((name) => [name, 1])),
  copies: TOPICS.map((topic) => ({ topic, copies: 3, inSync: 3 })),
  ...more,
});

function open(first: ChainReading = reading()) {
  const clock = new VirtualClock();
  const chain = { reading: first as ChainReading | Error, reads: 0 };
  const failures: unknown[] = [];
  const watch = new ChainWatch({
    read: () => {
      chain.reads++;
      return chain.reading instanceof Error ? Promise.reject(chain.reading) : Promise.resolve(chain.reading);
    },
    clock,
    onFailure: (error) => failures.push(error),
  });
  return { clock, chain, failures, watch };
}

const lagging = (nextOffset: number): Partial<ChainReading> => ({
  services: NAMES.map((name) =>
    service(name, name === 'points-service' ? { behind: 7, lagging: [{ partition: 3, nextOffset }] } : {}),
  ),
});

describe('the chain watch', () => {
  it('reports no problems when the chain has caught up with the log', async () => {
    const { watch } = open();
    expect(watch.latest).toBeNull();
    const { services, problems, queryGateways } = await watch.look();
    expect(problems).toEqual([]);
    expect(queryGateways).toBe(1);
    expect(services).toEqual(
      NAMES.map((name) => ({ service: name, members: 1, behind: 0, stalledMs: 0, stalledSeconds: 0, stopped: [] })),
    );
    expect(watch.latest?.problems).toEqual([]);
  });

  it('reports a service without members and missing query gateways at once', async () => {
    const { watch } = open(reading({ members: new Map(NAMES.slice(1).map((name) => [name, 2])) }));
    const { services, problems } = await watch.look();
    expect(services.map(({ members }) => members)).toEqual([0, 2, 2, 2]);
    expect(problems).toEqual([
      'streak-service has no members: no running instance works on its partitions.',
      'query-gateway has no members: reads fail, and answers to events stay pending.',
    ]);
  });

  it('reports a service that falls behind without progress, but not a busy one', async () => {
    const { clock, chain, watch } = open(reading(lagging(40)));
    watch.start();
    await clock.advance(30_000);
    expect(watch.latest?.problems).toEqual([]);
    expect(watch.latest?.services[2]).toMatchObject({ behind: 7, stalledMs: 25_000 });
    await clock.advance(5_000);
    expect(watch.latest?.problems).toEqual(['points-service is 7 messages behind and has made no progress for 30 s.']);
    chain.reading = reading(lagging(41));
    await clock.advance(5_000);
    expect(watch.latest?.problems).toEqual([]);
    expect(watch.latest?.services[2]).toMatchObject({ behind: 7, stalledMs: 0 });
    watch.stop();
    expect(clock.timers).toBe(0);
  });

  it('reports whole milliseconds', async () => {
    const { clock, watch } = open(reading(lagging(40)));
    await watch.look();
    await clock.advance(1_234.567);
    const { services } = await watch.look();
    expect(services[2]).toMatchObject({ stalledMs: 1_235, stalledSeconds: 1.2 });
  });

  it('reports a log that is not published', async () => {
    const { clock, chain, watch } = open(reading({ head: 120 }));
    watch.start();
    await clock.advance(35_000);
    expect(watch.latest?.problems).toEqual([
      'The log has not been published for 30 s: no ingestion gateway leads, or the broker is away.',
    ]);
    chain.reading = reading({ head: 140, published: 101 });
    await clock.advance(5_000);
    expect(watch.latest?.problems).toEqual([]);
  });

  it('reports halted partitions, and an unknown lag when the broker does not answer', async () => {
    const stopped = [{ partition: 2, offset: 5, reason: 'it cannot be read' }];
    const services = NAMES.map((name, place) =>
      service(name, place === 0 ? { stopped } : place === 1 ? { behind: null } : {}),
    );
    expect((await open(reading({ services })).watch.look()).problems).toEqual([
      'streak-service is halted in partition 2 of laurel.2.log at offset 5: it cannot be read',
      'How far achievement-service is behind is unknown: the broker does not answer.',
    ]);
  });

  it('reports messages that the broker deleted, whether they were applied, and who can resend them', async () => {
    const services = NAMES.map((name, place) =>
      service(name, {
        deleted: [
          { partition: 0, nextOffset: 40, start: 40 },
          { partition: 1, nextOffset: place === 0 ? 12 : 40, start: 40 },
        ],
      }),
    );
    const [unread, applied] = (await open(reading({ services })).watch.look()).problems;
    expect([unread, applied]).toEqual([
      'Kafka has deleted messages of laurel.2.log that streak-service had not applied: offsets 12 to 39 of partition 1. ' +
        'Set retention.ms and retention.bytes to -1, and run resend of ingestion-gateway.',
      'Kafka has deleted messages of laurel.2.streaks: achievement-service could not be rebuilt. ' +
        'Set retention.ms and retention.bytes to -1, and run resend of streak-service.',
    ]);
  });

  it('lists at most ten partitions with deleted messages', async () => {
    const deleted = Array.from({ length: 13 }, (_, partition) => ({ partition, nextOffset: 0, start: 1 }));
    const services = NAMES.map((name, place) => service(name, place === 0 ? { deleted } : {}));
    expect((await open(reading({ services })).watch.look()).problems).toEqual([
      expect.stringContaining('offsets 0 to 0 of partition 9, and 3 more. Set'),
    ]);
  });

  it('reports topics that lack copies', async () => {
    const copies = TOPICS.map((topic) => ({ topic, copies: 3, inSync: 2 }));
    expect((await open(reading({ copies })).watch.look()).problems).toEqual([
      'Kafka lacks copies (in sync: laurel.2.log 2 of 3, laurel.2.points 2 of 3): a broker is away or behind. ' +
        'Nothing is lost; events wait when less than min.insync.replicas are left.',
    ]);
    expect((await open(reading({ copies: null })).watch.look()).problems).toEqual([]);
  });

  it('reports a chain that cannot be read, and tries again', async () => {
    const { clock, chain, failures, watch } = open();
    chain.reading = new Error('away');
    watch.start();
    await clock.advance(10_000);
    expect(failures).toEqual([new Error('away'), new Error('away')]);
    chain.reading = reading();
    await clock.advance(5_000);
    expect(watch.latest?.problems).toEqual([]);
  });

  it('reads once for simultaneous requests', async () => {
    const { chain, watch } = open();
    await Promise.all([watch.look(), watch.look(), watch.appliedPosition()]);
    expect(chain.reads).toBe(1);
  });
});

describe('waiting for a position', () => {
  const behind = (position: number): ChainReading =>
    reading({
      areas: AREAS.map((area) => ({
        area,
        position: ['points', 'leaderboards'].includes(area) ? position : 100,
        stateVersion: 1,
        failure: null,
      })),
    });

  it('ends when every area has applied the log up to it', async () => {
    const { clock, chain, watch } = open(behind(60));
    let pending: readonly string[] | null = null;
    void watch.pendingAt(100, 10_000).then((areas) => (pending = areas));
    await clock.advance(5_000);
    expect(pending).toBeNull();
    expect(await watch.appliedPosition()).toBe(60);
    chain.reading = behind(100);
    await clock.advance(1_000);
    expect(pending).toEqual([]);
  });

  it('names the pending areas at the limit', async () => {
    const { clock, watch } = open(behind(99));
    const pending = watch.pendingAt(100, 10_000);
    await clock.advance(10_200);
    expect(await pending).toEqual(['points', 'leaderboards']);
  });

  it('names all areas while the chain cannot be read', async () => {
    const { clock, chain, watch, failures } = open();
    chain.reading = new Error('away');
    const pending = watch.pendingAt(100, 1_000);
    await clock.advance(1_200);
    expect(await pending).toEqual(AREAS);
    expect(failures.length).toBeGreaterThan(1);
  });
});
