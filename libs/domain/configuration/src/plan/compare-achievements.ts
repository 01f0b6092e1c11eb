import { achievementTriggerKind, conditionsInWords, type WrittenConditions } from '@laurel/kernel';
import type { AchievementDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { activityWords } from './activity-words.ts';
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
        activeFrom: (_, from) =>
          from === null ? 'From publication, it has no beginning.' : `From publication, ${onlyFrom(from)}. ${OUTSIDE}`,
        activeUntil: (_, until) =>
          until === null ? 'From publication, it has no end.' : `From publication, ${onlyBefore(until)}. ${OUTSIDE}`,
        where: (_, where) => `${where === null ? WHEN_FREE : whenRequired(where)} Users who have completed it keep it.`,
        trigger: () => `Users who have completed it keep it. ${whenItCompletes(is)}`,
      }),
  });
  return [...entries, ...compareOrder('achievements', keysOf(before), keysOf(after))];
}

const onlyFrom = (from: string) => `users complete it only with events from ${from} on`;
const onlyBefore = (until: string) => `users complete it only with events before ${until}`;
const OUTSIDE =
  'Whoever reaches it outside completes it with the next event inside that touches its trigger. Users who have completed it keep it.';

const WHEN_FREE = 'From publication, it completes whatever the attributes are.';

function whenRequired(where: WrittenConditions): string {
  const sums = where.event === undefined ? '' : ' Only values of matching events are summed, from publication on.';
  const judged =
    where.user === undefined ? '' : ' A user who has reached it completes it with the first event at which they match.';
  return `From publication, it completes only${conditionsInWords(where)}.${sums}${judged}`;
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
  return `${whenItCompletes(achievement)}${activityWords(achievement)}${again}${hidden}`;
}

const whenItCompletes = ({ trigger, where }: AchievementDocument): string =>
  where === null ? achievementTriggerKind(trigger.type).whenPublished(trigger) : whenRequired(where);
