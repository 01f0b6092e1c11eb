import type { Instant } from '@laurel/calendar';
import {
  declaredEffect,
  groupBy,
  type AreaName,
  type Effect,
  type RunKey,
  type Subject,
  type BoardRanking,
} from '@laurel/kernel';
import type { AccountStory } from './account-story.ts';

/** The end of a life: all values that must not depend on whether, and when, somebody reads. */
export interface Ending {
  readonly users: ReadonlyMap<Subject, UserEnding>;
  /** By board and first date of the run: each user's value, and the instant at which it was reached. */
  readonly values: ReadonlyMap<string, ReadonlyMap<Subject, Reached>>;
  /**
   * Rankings of runs in which no two participants share a value and its instant. In other runs the order of recording
   * decides (7.3), which includes sweeps.
   */
  readonly rankings: ReadonlyMap<string, readonly BoardRanking[]>;
}

type Reached = readonly [value: bigint, at: Instant];

export interface UserEnding {
  /** Effects by area, in the order in which they happened; the order between two areas has no meaning. */
  readonly effects: ReadonlyMap<AreaName, readonly Effect[]>;
  /** The streak as of the last instant, with the freezes held. */
  readonly streak: unknown;
  /** System and total. */
  readonly points: readonly (readonly [system: string, total: string])[];
  /** The level of each system that has one, and the instant at which it was reached. */
  readonly levels: unknown;
  readonly completed: unknown;
}

/**
 * The area whose effects an effect is compared with, or null if its declaration says that it depends on when users are
 * settled.
 */
function comparedWith({ type }: Effect): AreaName | null {
  const { area, kind } = declaredEffect(type);
  return kind.stability === 'observed' ? null : area;
}

/** @param last the instant up to which everybody is settled */
export async function endingOf(account: AccountStory, last: Instant): Promise<Ending> {
  const users = new Map<Subject, UserEnding>();
  for (const user of account.users) users.set(user, await endingOfUser(account, user, last));
  const values = new Map<string, ReadonlyMap<Subject, Reached>>();
  const rankings = new Map<string, readonly BoardRanking[]>();
  for (const run of account.runs) {
    const name = `${run.board} from ${run.start}`;
    const reached = await valuesIn(account, run);
    values.set(name, reached);
    if (!hasTies(reached)) rankings.set(name, await rankingsIn(account, run));
  }
  return { users, values, rankings };
}

async function endingOfUser(account: AccountStory, user: Subject, last: Instant): Promise<UserEnding> {
  const effects = groupBy(account.effectsOf(user).map(withoutHeld), comparedWith);
  const shown = await account.read(user, last);
  return {
    effects: new Map([...effects].flatMap(([area, all]) => (area === null ? [] : [[area, all]]))),
    streak: shown.get('streaks'),
    points: totalsOf(account, user),
    levels: account.levelsOf(user),
    completed: account.stored(user, 'achievements'),
  };
}

/** The number of freezes left is computed from `FreezeEarned`, which depends on when users are settled. */
function withoutHeld(effect: Effect): Effect {
  if (effect.type !== 'FreezeUsed') return effect;
  const { held: _held, ...used } = effect;
  return used;
}

function totalsOf(account: AccountStory, user: Subject): UserEnding['points'] {
  const { systems } = account.stored(user, 'points') as { readonly systems: readonly (readonly [string, string])[] };
  return systems.map(([key, total]) => [key, total]);
}

async function valuesIn(account: AccountStory, run: RunKey): Promise<ReadonlyMap<Subject, Reached>> {
  const committed = await account.boards.committed(run);
  const values = new Map<Subject, Reached>();
  for (const user of account.users) {
    const standing = committed?.get(user);
    if (standing !== undefined) values.set(user, [BigInt(standing.score), standing.reachedAt]);
  }
  return values;
}

async function rankingsIn(account: AccountStory, run: RunKey): Promise<readonly BoardRanking[]> {
  const { maxParticipants = Infinity } = account.configuration.leaderboardByKey.get(run.board) ?? {};
  return (await account.boards.committed(run))?.rankings(0, Infinity, maxParticipants) ?? [];
}

function hasTies(values: ReadonlyMap<Subject, Reached>): boolean {
  const onBoard = [...values.values()].filter(([value]) => value > 0n).map(([value, at]) => `${value} ${at}`);
  return new Set(onBoard).size < onBoard.length;
}
