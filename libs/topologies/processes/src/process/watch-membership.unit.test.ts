import { Health, Metrics, Shutdown, createHttpApplication, createLogger } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { MemoryEventStream } from '@laurel/testing/event-stream';
import { watchMembership } from './watch-membership.ts';

it('watchMembership fails /healthz and shows the seconds after five minutes out of the group', async () => {
  const clock = new ManualClock();
  const logger = createLogger('silent');
  const frame = {
    clock,
    health: new Health(clock),
    metrics: new Metrics('points-service'),
    shutdown: new Shutdown(logger),
    stream: new MemoryEventStream(),
  };
  let isMember = true;
  watchMembership(frame, [{ group: 'laurel.points-service', isMember: () => isMember }]);
  const { fastify, close } = await createHttpApplication({
    modules: [],
    keys: { find: () => 'unknown' },
    health: frame.health,
    metrics: frame.metrics,
    logger,
  });
  const status = async (): Promise<number> => (await fastify.inject({ url: '/healthz' })).statusCode;
  const seconds = async (): Promise<string | undefined> =>
    /^laurel_memberless_seconds\{[^}]*\} (\d+)$/m.exec((await fastify.inject({ url: '/metrics' })).body)?.[1];

  await clock.advance(600_000);
  expect([await status(), await seconds()]).toEqual([200, '0']);
  isMember = false;
  await clock.advance(240_000);
  expect([await status(), await seconds()]).toEqual([200, '230']);
  await clock.advance(120_000);
  expect([await status(), await seconds()]).toEqual([503, '350']);
  isMember = true;
  await clock.advance(10_000);
  expect([await status(), await seconds()]).toEqual([200, '0']);
  await frame.shutdown.stop();
  expect(clock.timers).toBe(0);
  await close();
});
