import type { StreakDocument } from '@laurel/schemas';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareFreezes, whoHoldsFreezes } from './compare-freezes.ts';
import { compareLists } from './compare-lists.ts';

type Streak = StreakDocument | undefined;

export function compareStreak(before: Streak, after: Streak): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('streak', after, whenAdded(after))];
  if (after === undefined) return [removed('streak', before, whenRemoved(before))];
  const afresh = before.frequency !== after.frequency || before.weekStart !== after.weekStart;
  return [
    ...changedFields<StreakDocument, 'conditions' | 'freezes'>('streak', before, after, {
      frequency: AFRESH,
      weekStart: `${AFRESH} ${weeksBeginOn(after)}`,
      mode: afresh ? FROM_THE_START : modeEffect(after),
    }),
    ...compareConditions(before, after, afresh),
    ...compareFreezes(before.freezes, after.freezes),
  ];
}

const AFRESH = "Everyone's streak and its history start afresh: lengths and progress so far no longer count.";
const FROM_THE_START = 'It applies to the streaks that start afresh.';
const STAYS_MET = 'Periods already met stay met.';
const WITH_THE_NEXT_EVENT = 'Users who already meet the conditions this way extend their streak with their next event.';

function whenAdded(streak: StreakDocument): string {
  return [
    'Laurel keeps streaks from publication. Everyone begins at 0.',
    streak.freezes && whoHoldsFreezes(streak.freezes),
    streak.weekStart === 'monday' ? undefined : weeksBeginOn(streak),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function whenRemoved({ weekStart }: StreakDocument): string {
  const weeks = weekStart === 'monday' ? '' : ` ${weeksBeginOn({ weekStart: 'monday' })}`;
  return `Laurel no longer keeps streaks: every streak reads 0, and leaderboards ranked by streak become empty. If streaks come back, everyone begins at 0. What was given for streaks stays.${weeks}`;
}

/**
 * Weekly summaries follow the weeks of the streak; without a streak, weeks begin on Monday (specification, section 6).
 */
function weeksBeginOn({ weekStart }: Pick<StreakDocument, 'weekStart'>): string {
  return `Weekly summaries begin on ${weekStart === 'monday' ? 'Monday' : 'Sunday'}.`;
}

function modeEffect({ mode }: StreakDocument): string {
  switch (mode) {
    case 'all':
      return `From publication, users must meet every condition. They keep their progress in the current period. ${STAYS_MET}`;
    case 'any':
      return `From publication, one condition is enough. Users keep their progress in the current period. ${WITH_THE_NEXT_EVENT}`;
  }
}

function compareConditions(before: StreakDocument, after: StreakDocument, afresh: boolean): Change[] {
  const pathOf = (metric: string) => `streak.conditions.${metric}`;
  const effect = (otherwise: string) => (afresh ? FROM_THE_START : otherwise);
  return compareLists(before.conditions, after.conditions, {
    identityOf: ({ metric }) => metric,
    onAdded: (condition) => [added(pathOf(condition.metric), condition, effect(conditionAdded(after)))],
    onRemoved: (condition) => [removed(pathOf(condition.metric), condition, effect(conditionRemoved(after)))],
    onKept: ({ threshold: was }, { metric, threshold: is }) =>
      was === is ? [] : [changed(`${pathOf(metric)}.threshold`, was, is, effect(thresholdEffect(was, is)))],
  });
}

function conditionAdded({ mode }: StreakDocument): string {
  const asked =
    mode === 'all'
      ? 'From publication, users must meet this condition as well.'
      : 'From publication, this condition alone is enough to meet a period.';
  return `${asked} In the current period, it counts events recorded after publication. ${STAYS_MET}`;
}

function conditionRemoved({ mode }: StreakDocument): string {
  return mode === 'all'
    ? `Users no longer have to meet it. ${WITH_THE_NEXT_EVENT}`
    : `Reaching its threshold no longer meets a period. ${STAYS_MET}`;
}

function thresholdEffect(was: number, is: number): string {
  const applies = 'The new threshold applies from publication, and progress in the current period still counts.';
  return `${applies} ${is < was ? WITH_THE_NEXT_EVENT : STAYS_MET}`;
}
