import type { Amount } from '@laurel/amounts';
import type { AchievementDefinition } from '@laurel/contracts';

/** What a record says that may complete an achievement. */
export interface Occasion {
  /** A metric event: its metric and the user's total after it. */
  readonly metric: { readonly key: string; readonly total: Amount } | null;
  /** The streak's length if the record extended it. */
  readonly extendedTo: number | null;
  /** The achievement that the record completes by call. */
  readonly called: string | null;
}

/**
 * The achievements that an occasion completes, in the order of the answer (specification, section 5): metric, streak, called, then
 * those that others complete, round by round as they become complete; configuration order within each step. One that is
 * complete is never completed again and never taken back.
 */
export function completeAchievements(
  completed: ReadonlySet<string>,
  definitions: readonly AchievementDefinition[],
  occasion: Occasion,
): readonly AchievementDefinition[] {
  const open = definitions.filter(({ key }) => !completed.has(key));
  const step = (reached: (definition: AchievementDefinition) => boolean) => open.filter(reached);
  const direct = [
    ...step(
      ({ trigger }) =>
        trigger.type === 'metric' &&
        trigger.metric.key === occasion.metric?.key &&
        occasion.metric.total >= trigger.value,
    ),
    ...step(
      ({ trigger }) =>
        trigger.type === 'streak' && occasion.extendedTo !== null && occasion.extendedTo >= trigger.length,
    ),
    ...step(({ key, trigger }) => trigger.type === 'api' && key === occasion.called),
  ];
  return [...direct, ...completeComposites(completed, open, direct)];
}

/** Each round sees what the rounds before it completed, so that any depth settles within the same event. */
function completeComposites(
  completed: ReadonlySet<string>,
  open: readonly AchievementDefinition[],
  direct: readonly AchievementDefinition[],
): readonly AchievementDefinition[] {
  const complete = new Set([...completed, ...direct.map(({ key }) => key)]);
  const settled: AchievementDefinition[] = [];
  for (;;) {
    const round = open.filter(
      ({ key, trigger }) =>
        trigger.type === 'achievement' &&
        !complete.has(key) &&
        trigger.achievements.every((needed) => complete.has(needed)),
    );
    if (round.length === 0) return settled;
    for (const { key } of round) complete.add(key);
    settled.push(...round);
  }
}
