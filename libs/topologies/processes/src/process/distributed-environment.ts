import { hostname } from 'node:os';
import { parseDatabaseUrl, type ConnectionOptions } from '@laurel/database';
import { EnvironmentError, missingVariables, readEnvironment, type Environment } from '@laurel/runtime';

/** Settings that every process of the distributed topology requires, in addition to the general ones. */
export interface DistributedEnvironment extends Environment {
  readonly kafkaBrokers: readonly string[];
  readonly internalToken: string;
  readonly advertisedHost: string;
  readonly database: ConnectionOptions;
}

/** @throws EnvironmentError naming each variable that is missing or wrong; StartError for an invalid database URL */
export function readDistributedEnvironment(variables: NodeJS.ProcessEnv): DistributedEnvironment {
  const environment = readEnvironment(variables);
  const { kafkaBrokers, internalToken, databaseUrl } = environment;
  if (databaseUrl === null || kafkaBrokers === null || internalToken === null)
    throw new EnvironmentError(missingVariables(environment));
  const advertisedHost = environment.advertisedHost ?? (environment.host === '127.0.0.1' ? '127.0.0.1' : hostname());
  return { ...environment, kafkaBrokers, internalToken, advertisedHost, database: parseDatabaseUrl(databaseUrl) };
}
