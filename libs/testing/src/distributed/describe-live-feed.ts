import { Client, LiveStream } from '../http-suite/index.ts';
import type { ServiceProcess, Topology } from './topology.ts';

/** Tests the live feed of a topology with the configuration of the HTTP suite and two ingestion gateways. */
export function describeLiveFeed(running: () => Topology): void {
  const clientOf = ({ url }: ServiceProcess) => new Client(() => ({ baseUrl: url, apiKey: running().apiKey }));

  /** Records events of users in all partitions. @returns the ids of the events, in the order of the log */
  async function record(gateway: ServiceProcess, count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await clientOf(gateway).record('lessons', `watched-${n}`, 1)).eventId);
    return ids;
  }

  const watch = ({ url }: ServiceProcess, last?: string) =>
    new LiveStream(new URL('/admin/v1/live', url).href, {
      'x-api-key': running().apiKey,
      ...(last !== undefined && { 'last-event-id': last }),
    });

  async function seen(stream: LiveStream, ids: readonly string[]) {
    const { events, last } = await stream.until(ids);
    stream.close();
    return { events, last, ids: events.map(({ id }) => id) };
  }

  describe('the live feed of a gateway', () => {
    let first: ServiceProcess;
    let second: ServiceProcess;
    beforeAll(() => {
      [first, second] = running().of('ingestion-gateway') as [ServiceProcess, ServiceProcess];
    });

    it('shows what was recorded through any, in order, with what the services made of it', async () => {
      const stream = watch(first);
      const ids = [...(await record(first, 6)), ...(await record(second, 6))];
      const { events, ids: shown } = await seen(stream, ids);
      // A stream without a cursor begins with existing events.
      expect(shown.slice(-ids.length)).toEqual(ids);
      for (const [place, { userId, effects }] of events.slice(-ids.length).entries()) {
        expect(userId).toBe(`watched-${place % 6}`);
        expect(effects.users).toContainEqual(
          expect.objectContaining({ type: 'MetricTotalChanged', metric: 'lessons' }),
        );
        expect(effects.points).toContainEqual(expect.objectContaining({ system: 'xp', awarded: 10 }));
      }
    });

    it('resumes behind a message, without a gap or a doubled event, over a restart and at another gateway', async () => {
      const [known] = await record(first, 1);
      const watching = watch(first);
      const { last } = await watching.until([known ?? '']);
      const [stopped, ended] = await Promise.all([first.stop(), watching.ended()]);
      expect([stopped, ended]).toEqual([0, true]);
      const missed = await record(second, 9);
      await first.start();
      const later = await record(second, 3);
      for (const gateway of [first, second])
        expect((await seen(watch(gateway, last), [...missed, ...later])).ids).toEqual([...missed, ...later]);
    });

    it('shows an event once every service has applied it, and no later event before', async () => {
      const stream = watch(first);
      await seen(watch(second), await record(first, 1));
      const [points] = running().of('points-service');
      expect(await points?.stop()).toBe(0);
      const ids = await record(first, 4);
      await points?.start();
      const { events, ids: shown } = await seen(stream, ids);
      expect(shown.slice(-4)).toEqual(ids);
      for (const { effects } of events.slice(-4))
        expect(effects.points).toContainEqual(expect.objectContaining({ system: 'xp', awarded: 10 }));
    });
  });
}
