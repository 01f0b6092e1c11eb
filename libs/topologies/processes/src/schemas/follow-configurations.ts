import type { SqlReader } from '@laurel/kernel';
import { lastingFailure } from '@laurel/runtime';
import type { ProcessFrame } from '../process/run-process.ts';
import { GatewayConfigurations } from './gateway-configurations.ts';
import { SCHEMAS } from './schemas.ts';

/** Reads the publications for as long as the process runs. @param sql of any schema of the database. @throws StoreUnavailableError */
export async function followConfigurations(
  { clock, logger, shutdown }: ProcessFrame,
  sql: SqlReader,
): Promise<GatewayConfigurations> {
  const configurations = new GatewayConfigurations(sql, `${SCHEMAS.ingestion}.publications`, clock);
  await configurations.follow(lastingFailure(logger, clock, 'could not read publications'));
  shutdown.register('publications', () => configurations.stop());
  return configurations;
}
