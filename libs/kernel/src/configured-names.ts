import { boostText } from './boost.ts';
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

  /** All names, in the order of their numbers. */
  get all(): readonly string[] {
    return this.#names;
  }

  /** These names, followed by the new ones in `named`. */
  with(named: readonly string[]): NumberedNames {
    const added = [...new Set(named)].filter((name) => !this.#numbers.has(name));
    if (added.length === 0) return this;
    const names = [...this.#names, ...added];
    return new NumberedNames(names, new Map(names.map((name, place) => [name, place + 1])));
  }

  /** undefined for an unknown name */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** @throws RangeError for an unknown name */
  numberOf(name: string): number {
    const number = this.find(name);
    if (number === undefined) throw new RangeError(`no version of the configuration names ${JSON.stringify(name)}`);
    return number;
  }

  /** @throws RangeError if no known version has a name with that number */
  nameOf(number: number): string {
    const name = this.#names[number - 1];
    if (name === undefined) throw new RangeError(`no version of the configuration names number ${number}`);
    return name;
  }
}

/**
 * The names in all versions of an account's configuration up to one, with the numbers under which read models store them. The versions
 * are in the log and immutable, so every process derives the same numbers.
 */
export interface ConfiguredNames {
  /** Keys of metrics. The other tables have keys as well, except `triggers` and `boosts`. */
  readonly metrics: NumberedNames;
  readonly systems: NumberedNames;
  /** Ids of the points triggers of all systems. */
  readonly triggers: NumberedNames;
  /** Boosts of all systems as texts, see `boostText`. */
  readonly boosts: NumberedNames;
  readonly achievements: NumberedNames;
  readonly boards: NumberedNames;
  /** The key of a trigger's system, by the trigger's id. */
  readonly systemOfTrigger: ReadonlyMap<string, string>;
}

export type NamedKind = Exclude<keyof ConfiguredNames, 'systemOfTrigger'>;

/** The names before the first version. */
export const NO_NAMES: ConfiguredNames = {
  metrics: NumberedNames.NONE,
  systems: NumberedNames.NONE,
  triggers: NumberedNames.NONE,
  boosts: NumberedNames.NONE,
  achievements: NumberedNames.NONE,
  boards: NumberedNames.NONE,
  systemOfTrigger: new Map(),
};

/** The names of the versions before, followed by the new ones of this version in its order. */
export function namesWith(
  before: ConfiguredNames,
  version: Pick<Configuration, 'metrics' | 'pointsSystems' | 'achievements' | 'leaderboards'>,
): ConfiguredNames {
  const { metrics, pointsSystems, achievements, leaderboards } = version;
  return {
    metrics: before.metrics.with(keysOf(metrics)),
    systems: before.systems.with(keysOf(pointsSystems)),
    triggers: before.triggers.with(pointsSystems.flatMap(({ triggers }) => triggers.map(({ id }) => id))),
    boosts: before.boosts.with(pointsSystems.flatMap(({ boosts }) => boosts.map(boostText))),
    achievements: before.achievements.with(keysOf(achievements)),
    boards: before.boards.with(keysOf(leaderboards)),
    systemOfTrigger: new Map([
      ...before.systemOfTrigger,
      ...pointsSystems.flatMap(({ key, triggers }) => triggers.map(({ id }) => [id, key] as const)),
    ]),
  };
}

const keysOf = (named: readonly { readonly key: string }[]): readonly string[] => named.map(({ key }) => key);
