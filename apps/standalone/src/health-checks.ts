import { assertReadable } from '@laurel/all-areas';
import { tzDataVersion } from '@laurel/calendar';
import { describeDamage } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { stalledSeconds } from '@laurel/schemas';
import { sqlReader } from '@laurel/database';
import type { EngineStatus } from '@laurel/engine';
import { LastingFailures, type Health, type Logger, type Metrics } from '@laurel/runtime';
import type { Service } from './start-service.ts';

/** The queue counts as stuck if no command is answered for this long while commands wait. */
const STALLED_MS = 5_000;

/** The checks and notes of `/readyz`. */
export function registerHealth(health: Health, { engine, dataSource, log }: Service): void {
  const sql = sqlReader(dataSource);
  health.register('database', async () => {
    await assertReadable(() => sql);
    await log.read(Math.max(0, engine.status().head - 1), 1);
    return { ok: true };
  });
  health.register('events', () => queueHealth(engine.status()));
  health.register('projections', () => areasHealth(engine.status()));
  health.note('tzDataVersion', tzDataVersion);
  health.note('damaged', () => damageNote(engine.status()));
}

/** Background work that can fail while the service still records events. */
export const watchBackground = (
  { engine, outcomeReader, decisions }: Pick<Service, 'engine' | 'outcomeReader' | 'decisions'>,
  parts: { readonly health: Health; readonly logger: Logger; readonly clock: Clock; readonly metrics: Metrics },
): LastingFailures =>
  new LastingFailures(
    [
      { name: 'sweeps', harm: 'what falls due is not settled', failingMs: () => engine.status().sweepsFailingMs },
      { name: 'verdicts', harm: 'requests for points stay undecided', failingMs: () => decisions.failingMs },
      { name: 'outcomes', harm: 'none are made', failingMs: () => outcomeReader.failingMs },
    ],
    parts,
  );

const queueHealth = ({ queue, waiting, stalledMs, head }: EngineStatus) => ({
  ok: queue === 'open' && stalledMs < STALLED_MS,
  detail: { queue, waiting, stalledSeconds: stalledSeconds(stalledMs), head, lane: queue, stalledMs },
});

const areasHealth = ({ areas }: EngineStatus) => ({
  ok: areas.every(({ failure }) => failure === null),
  detail: Object.fromEntries(areas.map(({ area, position, failure }) => [area, { position, failure }])),
});

function damageNote({ damaged, damagedUsers }: EngineStatus): string | null {
  const [last] = damaged;
  if (last === undefined) return null;
  return damagedUsers === 1
    ? describeDamage(last)
    : `${describeDamage(last)} (${damagedUsers} users in all: laurel status)`;
}
