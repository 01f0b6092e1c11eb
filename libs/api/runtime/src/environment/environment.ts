import { ENVIRONMENT_VARIABLES, type EnvironmentVariable } from './environment-variables.ts';
import { misspelledVariables } from './unknown-variables.ts';

type Table = typeof ENVIRONMENT_VARIABLES;

/** The values of all variables; null if one is not set. */
export type Environment = {
  readonly [Name in keyof Table]: Table[Name] extends EnvironmentVariable<infer T> ? T : never;
};

/** Variables by name, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment is invalid; the message names every wrong variable. */
export class EnvironmentError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads all variables of the table, for all programs. An empty variable counts as not set.
 * @throws EnvironmentError that names each wrong or misspelled variable, but never a secret.
 */
export function readEnvironment(variables: Variables): Environment {
  const problems: string[] = [];
  const read = <T>({ name, parse, fallback }: EnvironmentVariable<T>): T => {
    const text = variables[name];
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  };
  const entries = Object.entries<EnvironmentVariable<unknown>>(ENVIRONMENT_VARIABLES);
  const environment = Object.fromEntries(entries.map(([key, variable]) => [key, read(variable)])) as Environment;
  problems.push(...misspelledVariables(variables));
  if (problems.length > 0) throw new EnvironmentError(problems);
  return environment;
}

/** One sentence for each missing variable that processes of the distributed topology require. */
export function missingVariables(environment: Environment): string[] {
  return Object.entries<EnvironmentVariable<unknown>>(ENVIRONMENT_VARIABLES)
    .filter(([key, { requiredDistributed }]) => requiredDistributed && environment[key as keyof Environment] === null)
    .map(([, { name, form }]) => `${name} must be given${form === undefined ? '' : `: ${form}`}`);
}
