import { StartError, clientConfig } from '@laurel/database';
import { endSession } from '@laurel/event-store';
import pg from 'pg';
import type { ProcessFrame } from '../process/run-process.ts';
import { advisoryLockOf } from '../schemas/advisory-lock.ts';

/**
 * Says by an advisory lock that an instance of a service runs (`shared`), or that none may (`alone`).
 * @returns what gives it back. @throws StartError if that cannot be.
 */
export async function instanceLock(
  { environment, clock }: Pick<ProcessFrame, 'environment' | 'clock'>,
  service: string,
  mode: 'shared' | 'alone',
): Promise<() => Promise<void>> {
  const client = new pg.Client({
    ...clientConfig(environment.database),
    application_name: `laurel ${service}`,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  const take = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query<{ locked: boolean }>(`select ${take}($1) as locked`, [
    advisoryLockOf(`instance of ${service}`),
  ]);
  if (rows[0]?.locked) return () => endSession(client, clock);
  await endSession(client, clock);
  throw new StartError(
    mode === 'shared'
      ? `the output of ${service} is being sent again; start it when that has ended`
      : `an instance of ${service} runs: stop all of them first`,
  );
}
