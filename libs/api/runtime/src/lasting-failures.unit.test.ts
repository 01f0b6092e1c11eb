import { Failing } from '@laurel/ports';
import { ManualClock } from '@laurel/testing/clock';
import { Health } from './health.ts';
import { LastingFailures } from './lasting-failures.ts';
import { Metrics } from './metrics.ts';

const MINUTE = 60_000;

function open() {
  const clock = new ManualClock();
  const health = new Health(clock);
  const metrics = new Metrics('standalone', 'public');
  const failing = new Failing(clock);
  const lines: string[] = [];
  const logger = {
    error: (line: unknown) => void lines.push(`error: ${String(line)}`),
    info: (line: unknown) => void lines.push(`info: ${String(line)}`),
  };
  const work = { name: 'sweeps', harm: 'what falls due is not settled', failingMs: () => failing.ms } as const;
  const failures = new LastingFailures([work], { clock, health, logger, metrics });
  return { clock, health, metrics, failing, lines, failures };
}

const TEXT = 'sweeps have failed for 5 min: what falls due is not settled; the log says why';

describe('work that keeps failing', () => {
  it('is reported after five minutes, once in the log, until it succeeds', async () => {
    const { clock, health, metrics, failing, lines, failures } = open();
    failing.failed();
    await clock.advance(5 * MINUTE - 1);
    failing.failed();
    expect([failures.problems, (await health.report()).notes, lines]).toEqual([[], {}, []]);
    await clock.advance(1);
    expect(failures.problems).toEqual([TEXT]);
    expect(await health.report()).toMatchObject({ ok: true, notes: { sweeps: TEXT } });
    expect(await metrics.text()).toMatch(/laurel_failing_seconds\{.*work="sweeps".*\} 300/);
    await clock.advance(10 * MINUTE);
    expect(lines).toEqual([`error: ${TEXT}`]);
    failing.succeeded();
    await clock.advance(MINUTE);
    expect([failures.problems, (await health.report()).notes]).toEqual([[], {}]);
    expect(lines).toEqual([`error: ${TEXT}`, 'info: sweeps work again']);
    failures.stop();
  });

  it('is not reported when it succeeds now and then', async () => {
    const { clock, failing, lines, failures } = open();
    for (let minute = 0; minute < 20; minute++) {
      await failing.try(() => Promise.reject(new Error('away'))).catch(() => undefined);
      await clock.advance(MINUTE);
      if (minute % 4 === 3) await failing.try(() => Promise.resolve());
    }
    expect([failures.problems, lines]).toEqual([[], []]);
    failures.stop();
  });
});
