import { formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import type { AchievementsPlan } from './achievements-plan.ts';

/** Which achievements a user has completed, and what their events add up to that conditions of achievements count. */
export interface AchievementsState {
  /** One bit for each achievement of the plan, 31 to a word. */
  readonly completed: number[];
  /** Completed achievements that the plan's version no longer has. */
  others: readonly string[];
  /** Sums of matching events, by their place in the plan; undefined before the first. */
  readonly sums: (Exact | undefined)[];
  /** Sums that the plan's version no longer has, by name. */
  otherSums: ReadonlyMap<string, Exact>;
}

export const initialAchievements = (plan: AchievementsPlan): AchievementsState => ({
  completed: new Array<number>(Math.ceil(plan.keys.length / BITS)).fill(0),
  others: [],
  sums: plan.sums.map(() => undefined),
  otherSums: NO_SUMS,
});

export const copyOf = ({ completed, others, sums, otherSums }: AchievementsState): AchievementsState => ({
  completed: completed.slice(),
  others,
  sums: sums.slice(),
  otherSums,
});

const NO_SUMS: ReadonlyMap<string, Exact> = new Map();
const BITS = 31;

export const has = ({ completed }: Pick<AchievementsState, 'completed'>, place: number): boolean =>
  (((completed[Math.floor(place / BITS)] as number) >>> (place % BITS)) & 1) === 1;

export function set({ completed }: AchievementsState, place: number): void {
  const word = Math.floor(place / BITS);
  completed[word] = (completed[word] as number) | (1 << (place % BITS));
}

export function unset({ completed }: AchievementsState, place: number): void {
  const word = Math.floor(place / BITS);
  completed[word] = (completed[word] as number) & ~(1 << (place % BITS));
}

/** The keys of completed achievements. */
export const completedKeys = (state: AchievementsState, plan: AchievementsPlan): readonly string[] => [
  ...plan.keys.filter((_, place) => has(state, place)),
  ...state.others,
];

/** Counts these achievements as completed, whether or not the plan still has them. */
export function keepCompleted(state: AchievementsState, keys: readonly string[], plan: AchievementsPlan): void {
  const others: string[] = [];
  for (const key of keys) {
    const place = plan.placeByKey.get(key);
    if (place === undefined) others.push(key);
    else set(state, place);
  }
  state.others = [...state.others, ...others];
}

/** Sums in millionths, by name; only with a condition on events that a user's event has matched. */
type StoredAchievements =
  readonly string[] | { readonly completed: readonly string[]; readonly sums: readonly (readonly [string, string])[] };

export function encode(state: AchievementsState, plan: AchievementsPlan): StoredAchievements {
  const completed = completedKeys(state, plan);
  const own = state.sums.flatMap((sum, place) => (sum === undefined ? [] : [[nameOf(plan, place), sum] as const]));
  const sums = [...own, ...state.otherSums];
  if (sums.length === 0) return completed;
  return { completed, sums: sums.map(([name, sum]) => [name, formatMillionths(sum)] as const) };
}

const nameOf = ({ sums }: AchievementsPlan, place: number): string => sums[place]?.name ?? '';

/** @throws TypeError unless the completed achievements are a list: the letters of a text would be read as keys. */
export function decode(json: unknown, plan: AchievementsPlan): AchievementsState {
  const { completed, sums } = Array.isArray(json)
    ? { completed: json as readonly string[], sums: [] }
    : (json as Exclude<StoredAchievements, readonly string[]>);
  if (!Array.isArray(completed)) throw new TypeError('the completed achievements are not a list');
  const state = initialAchievements(plan);
  keepCompleted(state, completed, plan);
  const otherSums = new Map<string, Exact>();
  for (const [name, text] of sums) {
    const place = plan.sumByName.get(name);
    if (place === undefined) otherSums.set(name, parseMillionths(text));
    else state.sums[place] = parseMillionths(text);
  }
  state.otherSums = otherSums.size === 0 ? NO_SUMS : otherSums;
  return state;
}

/** The sums of a stored state, in millionths by name. */
export function storedSums(json: unknown): ReadonlyMap<string, string> {
  return new Map(
    Array.isArray(json) || json === null ? [] : (json as Exclude<StoredAchievements, readonly string[]>).sums,
  );
}
