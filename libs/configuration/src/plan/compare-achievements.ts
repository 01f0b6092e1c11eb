import type { AchievementDocument } from '@laurel/contracts';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, ONLY_SHOWN, ORDER_OF_ANSWERS } from './compare-lists.ts';
import type { Past } from './past.ts';

export function compareAchievements(
  before: readonly AchievementDocument[],
  after: readonly AchievementDocument[],
  past: Past,
): Change[] {
  const pathOf = (key: string) => `achievements.${key}`;
  const entries = compareLists(before, after, {
    identityOf: ({ key }) => key,
    onAdded: (achievement) => [added(pathOf(achievement.key), achievement, whenAdded(achievement, past))],
    onRemoved: (achievement) => [removed(pathOf(achievement.key), achievement, WHEN_REMOVED)],
    onKept: (was, is) =>
      changedFields<AchievementDocument, 'key'>(pathOf(is.key), was, is, {
        name: ONLY_SHOWN,
        description: ONLY_SHOWN,
        badgeUrl: ONLY_SHOWN,
        trigger: () => `Who has completed it keeps it. ${whenItCompletes(is)}`,
      }),
  });
  return [...entries, ...compareOrder('achievements', before, after, ({ key }) => key, ORDER_OF_ANSWERS)];
}

const WHEN_REMOVED =
  'Nobody completes it any more. Who has completed it keeps it, but it is not shown; points that were given for it stay.';

function whenAdded(achievement: AchievementDocument, past: Past): string {
  const version = past.versionWith('achievements', achievement.key);
  const again = version === null ? '' : ` It was in version ${version}: who completed it then has it again.`;
  return `${whenItCompletes(achievement)}${again}`;
}

/** From the publication on (specification, section 5). */
function whenItCompletes({ trigger }: AchievementDocument): string {
  switch (trigger.type) {
    case 'metric':
      return `It completes with a user's next event of ${trigger.metric} that leaves their total at ${trigger.value} or more; what they did before counts.`;
    case 'streak':
      return `It completes when a streak is next extended to a length of ${trigger.length} or more.`;
    case 'api':
      return 'It completes by call.';
    case 'achievement':
      return 'It completes as soon as all that it names are complete; who has them already gets it with their next event.';
  }
}
