import type { Configuration } from './configuration.ts';

/**
 * Names and their numbers: 1, 2, 3, … in the order in which they were first named. Adding names changes no number, so a number that
 * was stored once means the same name for ever.
 */
export class NumberedNames {
  static readonly NONE = new NumberedNames([], new Map());

  readonly #names: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;

  private constructor(names: readonly string[], numbers: ReadonlyMap<string, number>) {
    this.#names = names;
    this.#numbers = numbers;
  }

  /** In the order of their numbers. */
  get all(): readonly string[] {
    return this.#names;
  }

  /** These and those of `named` that are new. */
  with(named: readonly string[]): NumberedNames {
    const added = [...new Set(named)].filter((name) => !this.#numbers.has(name));
    if (added.length === 0) return this;
    const names = [...this.#names, ...added];
    return new NumberedNames(names, new Map(names.map((name, place) => [name, place + 1])));
  }

  /** @throws RangeError if nothing was ever called so. */
  numberOf(name: string): number {
    const number = this.#numbers.get(name);
    if (number === undefined) throw new RangeError(`no version of the configuration names ${JSON.stringify(name)}`);
    return number;
  }

  /** @throws RangeError if no name has that number in the versions that are known here. */
  nameOf(number: number): string {
    const name = this.#names[number - 1];
    if (name === undefined) throw new RangeError(`no version of the configuration names number ${number}`);
    return name;
  }
}

/**
 * What all versions of an account's configuration up to one have named, with the numbers under which read models store it. The versions
 * are in the log and immutable, so every process works out the same numbers, and nobody assigns them.
 */
export interface ConfiguredNames {
  /** Keys, as in all but `triggers`. */
  readonly metrics: NumberedNames;
  readonly systems: NumberedNames;
  /** Ids of points triggers, of all systems. */
  readonly triggers: NumberedNames;
  readonly achievements: NumberedNames;
  readonly boards: NumberedNames;
  /** The key of the system that a trigger is of, by the trigger's id. */
  readonly systemOfTrigger: ReadonlyMap<string, string>;
}

/** What is numbered. */
export type NamedKind = Exclude<keyof ConfiguredNames, 'systemOfTrigger'>;

/** Before the first version. */
export const NO_NAMES: ConfiguredNames = {
  metrics: NumberedNames.NONE,
  systems: NumberedNames.NONE,
  triggers: NumberedNames.NONE,
  achievements: NumberedNames.NONE,
  boards: NumberedNames.NONE,
  systemOfTrigger: new Map(),
};

/** With what a version names, in its order: after `before`, what the versions before it have named. */
export function namesWith(
  before: ConfiguredNames,
  version: Pick<Configuration, 'metrics' | 'pointsSystems' | 'achievements' | 'leaderboards'>,
): ConfiguredNames {
  const { metrics, pointsSystems, achievements, leaderboards } = version;
  return {
    metrics: before.metrics.with(keysOf(metrics)),
    systems: before.systems.with(keysOf(pointsSystems)),
    triggers: before.triggers.with(pointsSystems.flatMap(({ triggers }) => triggers.map(({ id }) => id))),
    achievements: before.achievements.with(keysOf(achievements)),
    boards: before.boards.with(keysOf(leaderboards)),
    systemOfTrigger: new Map([
      ...before.systemOfTrigger,
      ...pointsSystems.flatMap(({ key, triggers }) => triggers.map(({ id }) => [id, key] as const)),
    ]),
  };
}

const keysOf = (named: readonly { readonly key: string }[]): readonly string[] => named.map(({ key }) => key);
