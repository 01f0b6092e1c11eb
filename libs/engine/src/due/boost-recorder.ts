import type { Instant } from '@laurel/calendar';
import type { AccountEvent, BoostEvent, Configuration, ConfigurationHistory, RecordedEvent } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { publicationsIn } from '../folding/publications.ts';

export interface BoostRecorderDependencies {
  readonly log: {
    readAccountEvents(account: string, types: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]>;
  };
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly clock: Pick<Clock, 'now'>;
  /** @param at when the boost began or ended @throws StoreUnavailableError if it is unknown whether the event was recorded. */
  readonly record: (account: string, fact: BoostEvent, at: Instant) => Promise<void>;
}

const KINDS = [
  { fact: 'BoostStarted', outcome: 'points.boost_started' },
  { fact: 'BoostFinished', outcome: 'points.boost_finished' },
] as const;
type Kind = (typeof KINDS)[number];

const EVENTS = ['ConfigurationPublished', 'BoostStarted', 'BoostFinished'] as const;

/** A boost that begins or ends. */
interface Turn {
  readonly fact: BoostEvent;
  readonly at: Instant;
}

interface Watched {
  readonly current: Configuration;
  /** Turns that are not recorded, oldest first. */
  readonly turns: Turn[];
}

/**
 * Records that boosts of points systems have begun or ended, once each, while the version in force announces it. What was past before the
 * versions announced it stays silent. Only one process at a time may do so.
 */
export class BoostRecorder {
  readonly #dependencies: BoostRecorderDependencies;
  readonly #watched = new Map<string, Watched>();

  constructor(dependencies: BoostRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the next call read the log again: another process may have recorded boosts meanwhile. */
  forget(): void {
    this.#watched.clear();
  }

  /** Records the boosts that have begun or ended by now, oldest first. @throws StoreUnavailableError; the next call continues. */
  async recordDue(account: string): Promise<void> {
    const history = this.#dependencies.configurations(account);
    if (!KINDS.some((kind) => isNamed(history.current, kind))) return;
    try {
      const { turns } = await this.#watchedOf(account, history);
      for (let next = turns[0]; next !== undefined && next.at <= this.#dependencies.clock.now(); next = turns[0]) {
        await this.#dependencies.record(account, next.fact, next.at);
        turns.shift();
      }
    } catch (error) {
      this.#watched.delete(account);
      throw error;
    }
  }

  async #watchedOf(account: string, history: ConfigurationHistory): Promise<Watched> {
    const known = this.#watched.get(account);
    if (known?.current === history.current) return known;
    const records = await this.#dependencies.log.readAccountEvents(account, EVENTS);
    const recorded = new Set(
      records.flatMap(({ fact, occurredAt }) => (isTurn(fact) ? [textOf(fact, occurredAt)] : [])),
    );
    const published = new Map(publicationsIn(records).map(({ version, publishedAt }) => [version, publishedAt]));
    const turns = KINDS.filter((kind) => isNamed(history.current, kind)).flatMap((kind) => {
      const since = oldest(published, history, (version) => isNamed(version, kind));
      return turnsOf(kind, history, published).filter(({ at }) => at >= since);
    });
    const open = turns
      .filter(({ fact, at }) => !recorded.has(textOf(fact, at)))
      .sort((one, other) => one.at - other.at);
    const watched = { current: history.current, turns: open };
    this.#watched.set(account, watched);
    return watched;
  }
}

const isNamed = ({ outgoing }: Configuration, { outcome }: Kind): boolean => outgoing?.types.has(outcome) ?? false;

const isTurn = (fact: RecordedEvent['fact']): fact is BoostEvent =>
  fact.type === 'BoostStarted' || fact.type === 'BoostFinished';

const textOf = ({ type, system, boost }: BoostEvent, at: Instant): string => JSON.stringify([type, system, boost, at]);

/** When the boosts of the present version begin, no earlier than they were published; or when they end, removed ones included. */
function turnsOf(
  { fact: type }: Kind,
  history: ConfigurationHistory,
  published: ReadonlyMap<number, Instant>,
): readonly Turn[] {
  return history.current.pointsSystems.flatMap(({ key: system, boosts, removedBoosts }) => {
    const ended = removedBoosts.flatMap(({ key, end }) => (end === null ? [] : [{ key, at: end }]));
    const present = boosts.flatMap(({ key, start, end }) => {
      const since = oldest(published, history, (version) => has(version, system, key));
      if (end !== null && end <= since) return [];
      if (type === 'BoostStarted') return [{ key, at: Math.max(start, since) }];
      return end === null ? [] : [{ key, at: end }];
    });
    const turns = type === 'BoostStarted' ? present : [...ended, ...present];
    return turns.map(({ key, at }) => ({ fact: { type, system, boost: key }, at }));
  });
}

const has = ({ pointsSystemByKey }: Configuration, system: string, boost: string): boolean =>
  pointsSystemByKey.get(system)?.boosts.some(({ key }) => key === boost) ?? false;

/** Publication of the oldest version from which on every version matches. @throws Error if the newest is not in the log yet */
function oldest(
  published: ReadonlyMap<number, Instant>,
  history: ConfigurationHistory,
  matches: (version: Configuration) => boolean,
): Instant {
  let since: Instant | undefined;
  for (const version of [...published.keys()].sort((one, other) => other - one)) {
    if (!matches(history.at(version))) break;
    since = published.get(version);
  }
  if (since === undefined) throw new Error('the version in force is not in the log yet');
  return since;
}
