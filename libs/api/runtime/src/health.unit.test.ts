import { createClock } from './clock.ts';
import { Health } from './health.ts';

const system = createClock({ type: 'system' });

describe('Health', () => {
  it('reports ok with details and notes when every component is ok', async () => {
    const health = new Health(system);
    health.register('store', () => ({ ok: true, detail: { position: 7 } }));
    health.register('streaks', async () => ({ ok: true }));
    health.note('tzData', '2025c');
    health.note('damaged', () => null);
    health.note('clock', () => 'stands still');
    expect(await health.report()).toEqual({
      ok: true,
      components: { store: { ok: true, detail: { position: 7 } }, streaks: { ok: true } },
      notes: { tzData: '2025c', clock: 'stands still' },
    });
  });

  it('reports the component that is not ok', async () => {
    const health = new Health(system);
    health.register('store', () => ({ ok: true }));
    health.register('points', () => ({ ok: false, detail: { stoppedAt: 12 } }));
    expect(await health.report()).toMatchObject({ ok: false, components: { points: { detail: { stoppedAt: 12 } } } });
  });

  it('reports a check that throws without the details of its error', async () => {
    const health = new Health(system);
    health.register('store', () => Promise.reject(new Error('password=secret')));
    const report = await health.report();
    expect(report.components).toEqual({ store: { ok: false, detail: { reason: 'the check failed' } } });
  });

  it('reports the code of the error that a check throws', async () => {
    const health = new Health(system);
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
    health.register('store', () => Promise.reject(new Error('the database cannot be reached', { cause })));
    const report = await health.report();
    expect(report.components).toEqual({ store: { ok: false, detail: { reason: 'ECONNREFUSED' } } });
  });

  it('reports why the process has to be restarted', () => {
    const health = new Health(system);
    expect(health.whyRestart()).toEqual([]);
    let reason: string | null = null;
    health.registerLiveness(() => null);
    health.registerLiveness(() => reason);
    expect(health.whyRestart()).toEqual([]);
    reason = 'stuck';
    expect(health.whyRestart()).toEqual(['stuck']);
  });

  it('reports a check that never answers as not ok', async () => {
    const impatient = new Health({
      now: () => 0,
      elapsedMs: () => 0,
      after: (_delayMs, task) => (task(), () => undefined),
    });
    impatient.register('store', () => new Promise(() => undefined));
    expect(await impatient.report()).toMatchObject({
      ok: false,
      components: { store: { detail: { reason: 'no answer in time' } } },
    });
  });
});
