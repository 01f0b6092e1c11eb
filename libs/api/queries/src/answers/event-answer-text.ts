import type { Recorded, Replayed } from '@laurel/kernel';
import type { AnsweredRequest } from '@laurel/ports';
import { jsonAmount, writeJson } from '@laurel/schemas';
import { completedAchievements } from './achievement-answer.ts';
import { jsonText, numberText, textsOf } from './answer-texts.ts';

/**
 * The answer to an event as text, byte by byte equal to `writeJson` of `composeEventAnswer`. Most of an answer
 * describes boards, systems and triggers and is always the same, so this part is composed and written once per version.
 */
export function writeEventAnswer(outcome: Recorded | Replayed, { metric, idempotencyKey }: AnsweredRequest): string {
  const { kind, eventId, configuration, sections, pending } = outcome;
  const { users, streaks, achievements, points, leaderboards } = sections;
  const texts = textsOf(configuration);
  const total = users?.total ?? null;
  const completed = completedAchievements(achievements, configuration);
  return (
    `{"metricId":${jsonText(metric.id)},"eventId":${jsonText(eventId)}` +
    `,"total":${total === null ? 'null' : numberText(jsonAmount(total))}` +
    `,"achievements":${completed.length === 0 ? '[]' : writeJson(completed)}` +
    `,"currentStreak":${streaks ? texts.streak(streaks) : 'null'}` +
    `,"points":${points ? texts.points(points) : '{}'}` +
    `,"leaderboards":${leaderboards ? texts.leaderboards(leaderboards) : '{}'}` +
    (pending.length > 0 ? `,"pending":${jsonText(pending)}` : '') +
    (idempotencyKey === null
      ? ''
      : `,"idempotentReplayed":${kind === 'replayed'},"idempotencyKey":${jsonText(idempotencyKey)}`) +
    (outcome.kind === 'replayed' && outcome.retracted ? ',"retracted":true' : '') +
    '}'
  );
}
