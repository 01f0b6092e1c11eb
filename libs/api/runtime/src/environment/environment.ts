import { ENVIRONMENT_VARIABLES, type EnvironmentVariable } from './environment-variables.ts';
import { misspelledVariables } from './unknown-variables.ts';

type Table = typeof ENVIRONMENT_VARIABLES;

/** The values of all variables. null: not set. */
export type Environment = {
  readonly [Name in keyof Table]: Table[Name] extends EnvironmentVariable<infer T> ? T : never;
};

/** Names and texts, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment is wrong; the message names every variable that is. */
export class EnvironmentError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads every variable of the table, for all programs. An empty variable counts as not set.
 * @throws EnvironmentError that names each variable that is wrong or misspelled, never its secret.
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

/** One sentence for each variable that a process of the distributed topology cannot do without and was not given. */
export function missingVariables(environment: Environment): string[] {
  return Object.entries<EnvironmentVariable<unknown>>(ENVIRONMENT_VARIABLES)
    .filter(([key, { requiredDistributed }]) => requiredDistributed && environment[key as keyof Environment] === null)
    .map(([, { name, form }]) => `${name} must be given${form === undefined ? '' : `: ${form}`}`);
}
