import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Card, Chip, Loaded, When } from '../../ui/elements.tsx';
import { wordsOfName } from '../../ui/event-words.ts';
import { change, exact } from '../../ui/format.ts';
import { PlaceInGroup } from '../../ui/place-in-group.tsx';
import { Question } from '../../ui/question.tsx';

/** All achievements, with the user's completed ones marked. */
export function Achievements({ user }: { readonly user: Schemas['UserOverview'] }) {
  const all = useResource(
    (signal) =>
      answerOf(
        api.GET('/v1/users/{id}/achievements', {
          params: { path: { id: user.id }, query: { includeIncomplete: 'true' as const } },
          signal,
        }),
      ),
    [user.id],
  );
  const completed = new Map(user.achievements.map(({ key, achievedAt }) => [key, achievedAt]));
  return (
    <Card title="Achievements">
      <Loaded resource={all}>
        {(achievements) => (
          <ul class="list">
            {achievements.map(({ key, name, group, tier, progress }) => (
              <li key={key}>
                <span>
                  {name} <PlaceInGroup group={group} tier={tier} />
                </span>
                <span>
                  {completed.has(key) ? (
                    <Chip tone="good">
                      <When at={completed.get(key) ?? ''} zone={user.tz ?? 'UTC'} />
                    </Chip>
                  ) : (
                    progress && <Progress {...progress} of={name} />
                  )}
                  <Explanation id={user.id} achievement={key} name={name} isCompleted={completed.has(key)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

/** How much of what completes an achievement the user has. */
const Progress = ({ have, need, of }: Schemas['AchievementProgress'] & { readonly of: string }) => (
  <span class="share">
    <meter min={0} max={need} value={have} aria-label={`Progress of ${of}`} />
    <span>
      {exact(have)} of {exact(need)}
    </span>
  </span>
);

interface Explained {
  readonly id: string;
  readonly achievement: string;
}

/** Why an achievement is complete or not. Loaded on demand. */
function Explanation({
  id,
  achievement,
  name,
  isCompleted,
}: Explained & { readonly name: string; readonly isCompleted: boolean }) {
  const words = isCompleted ? 'Why?' : 'Why not?';
  return (
    <Question words={words} label={`${words} ${name}`}>
      <Answer id={id} achievement={achievement} />
    </Question>
  );
}

function Answer({ id, achievement }: Explained) {
  const why = useResource(
    (signal) =>
      answerOf(
        api.GET('/admin/v1/users/{id}/explain/achievements/{key}', {
          params: { path: { id, key: achievement } },
          signal,
        }),
      ),
    [id, achievement],
  );
  return (
    <Loaded resource={why} rows={1}>
      {(answer) => <span class="muted">{answer.status === 'completed' ? whyCompleted(answer) : whyNot(answer)}</span>}
    </Loaded>
  );
}

function whyCompleted({ event }: Schemas['ExplainedAchievement']): string {
  if (event === null) return 'It was completed before the log began.';
  if (event.metric !== undefined) return `with ${event.metric} ${change(event.value ?? 0)}`;
  if (event.type === 'GrantRecorded') return `by hand: ${event.reason ?? 'no reason'}`;
  return event.type === 'AchievementCompletedByCall' ? 'by a call' : `with ${wordsOfName(event.type).toLowerCase()}`;
}

function whyNot(answer: Schemas['ExplainedAchievement']): string {
  const { status, have, need, missing, achievements, trigger, activeFrom, activeUntil } = answer;
  if (status === 'inactive')
    return `It is active only ${[activeFrom && `from ${activeFrom}`, activeUntil && `before ${activeUntil}`].filter(Boolean).join(' and ')}.`;
  if (status === 'user_differs') return 'The user does not have the attributes that it requires.';
  if (status === 'met') return 'The condition is met. It completes with the next event that can complete it.';
  if (missing !== null) return `${exact(have ?? 0)} of ${exact(need ?? 0)}: ${exact(missing)} missing`;
  if (achievements !== null) return `still needs ${achievements.join(', ')}`;
  return trigger === 'api' ? 'It is completed by a call.' : 'It is not complete.';
}
