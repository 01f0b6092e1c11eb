import { answerOf, api, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { BadgeLink } from '../ui/badge-link.tsx';
import { Chip, Loaded, NotConfigured, PageHead, Table } from '../ui/elements.tsx';
import { wordsOfName } from '../ui/event-words.ts';
import { counted, exact, percent, whole } from '../ui/format.ts';
import { PlaceInGroup } from '../ui/place-in-group.tsx';

/** All achievements, and how rare each is. */
export function Achievements() {
  const all = useResource((signal) => answerOf(api.GET('/v1/achievements', { signal })), []);
  return (
    <>
      <PageHead title="Achievements" about="How many of all users have completed each one." />
      <Loaded resource={all} rows={8}>
        {(achievements) =>
          achievements.length === 0 ? (
            <NotConfigured kind="achievements" add="some" />
          ) : (
            <Table
              caption="Achievements"
              rows={achievements}
              keyOf={({ key }) => key}
              columns={[
                {
                  name: 'Achievement',
                  cell: ({ name, key, group, tier, status }) => (
                    <>
                      <span title={key}>{name}</span> <PlaceInGroup group={group} tier={tier} />{' '}
                      {status === 'inactive' && <Chip>inactive</Chip>}
                    </>
                  ),
                },
                { name: 'Badge', cell: ({ badgeUrl, name }) => <BadgeLink url={badgeUrl} of={name} /> },
                { name: 'Completed by', cell: completedBy },
                { name: 'Completions', numeric: true, cell: ({ completions }) => whole(completions) },
                {
                  name: 'Share of users',
                  numeric: true,
                  cell: ({ rarity, name }) => (
                    <span class="share">
                      <meter min={0} max={100} value={rarity} aria-label={`Share of users who completed ${name}`} />
                      <span>{percent(rarity / 100)}</span>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

function completedBy(achievement: Schemas['ListedAchievement']): string {
  const { trigger, metricName, metricValue, streakLength, achievementIds } = achievement;
  if (metricValue !== null) return `${metricName ?? ''}: ${exact(metricValue)}`;
  if (streakLength !== undefined) return `A streak of ${whole(streakLength)}`;
  if (achievementIds !== undefined) return counted(achievementIds.length, 'other achievement');
  return trigger === 'api' ? 'A call of the API' : wordsOfName(trigger);
}
