import { achievementTriggerKind } from '@laurel/kernel';
import type { AchievementDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, keysOf, ONLY_SHOWN } from './compare-lists.ts';
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
        group: ONLY_SHOWN,
        tier: ONLY_SHOWN,
        hidden: (_, isHidden) => (isHidden ? WHEN_HIDDEN : WHEN_SHOWN),
        trigger: () => `Users who have completed it keep it. ${whenItCompletes(is)}`,
      }),
  });
  return [...entries, ...compareOrder('achievements', keysOf(before), keysOf(after))];
}

const WHEN_REMOVED =
  'Nobody can complete it any more. Users who have completed it keep it, but Laurel no longer shows it. Points given for it stay.';

const SEEN_BY = 'lists show it only to users who have completed it';
const WHEN_HIDDEN = `From publication, ${SEEN_BY}. It still completes as before.`;
const WHEN_SHOWN = 'From publication, lists show it to everyone. It still completes as before.';

function whenAdded(achievement: AchievementDocument, past: Past): string {
  const version = past.versionWith('achievements', achievement.key);
  const again = version === null ? '' : ` It was in version ${version}: users who completed it then have it again.`;
  const hidden = achievement.hidden ? ` It is hidden: ${SEEN_BY}.` : '';
  return `${whenItCompletes(achievement)}${again}${hidden}`;
}

const whenItCompletes = ({ trigger }: AchievementDocument): string =>
  achievementTriggerKind(trigger.type).whenPublished(trigger);
