import { StartError, clientConfig } from '@laurel/database';
import { endSession } from '@laurel/event-store';
import type { Step } from '@laurel/contracts';
import pg from 'pg';
import type { ProcessFrame } from '../process/run-process.ts';
import { advisoryLockOf } from '../schemas/advisory-lock.ts';

/**
 * Says by an advisory lock for each service of a step that an instance of it runs (`shared`), or that none may (`alone`).
 * @returns what gives it back. @throws StartError if that cannot be.
 */
export async function instanceLock(
  { environment, clock }: Pick<ProcessFrame, 'environment' | 'clock'>,
  { name, services }: Pick<Step, 'name'> & { readonly services: readonly { readonly name: string }[] },
  mode: 'shared' | 'alone',
): Promise<() => Promise<void>> {
  const client = new pg.Client({
    ...clientConfig(environment.database),
    application_name: `laurel ${name}`,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  const take = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  for (const service of services) {
    const lock = advisoryLockOf(`instance of ${service.name}`);
    const { rows } = await client.query<{ locked: boolean }>(`select ${take}($1) as locked`, [lock]);
    if (rows[0]?.locked) continue;
    await endSession(client, clock);
    throw new StartError(
      mode === 'shared'
        ? `the output of ${service.name} is being sent again, or its step moved; start it when that has ended`
        : `an instance of ${service.name} runs: stop all of them first`,
    );
  }
  return () => endSession(client, clock);
}
