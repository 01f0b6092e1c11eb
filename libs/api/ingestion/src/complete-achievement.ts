import type { AchievementDefinition, CompleteAchievement, Subject } from '@laurel/kernel';
import {
  type CompletionAnswer,
  completeAchievementRequest,
  invalidRequest,
  ProblemError,
  unknownThing,
  readRequest,
} from '@laurel/schemas';
import { assignSubject } from './assign-subjects.ts';
import { userFields } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

/**
 * `POST /v1/achievements/{key}/complete`: the first time it settles composites and points like an event; later it records
 * nothing and says when it was (specification, section 8).
 */
export async function completeAchievement(
  ports: IngestionPorts,
  account: string,
  key: string,
  body: object,
): Promise<{ readonly first: boolean; readonly answer: CompletionAnswer }> {
  const definition = knownAchievement(ports, account, key);
  const { id, ...fields } = readUser(definition, body);
  const common = { account, userId: id, definition };
  const subject = await assignSubject(ports, account, id, 'user.id');
  const before = await completedAt(ports, account, subject, key);
  if (before !== null)
    return { first: false, answer: ports.composeCompletionAnswer({ ...common, achievedAt: before, outcome: null }) };
  const command: CompleteAchievement = {
    type: 'CompleteAchievement',
    account,
    subject,
    achievement: key,
    user: userFields(fields),
  };
  const [outcome] = await ports.intake.submit([command]);
  if (outcome === undefined) throw new Error('the intake answered without an outcome');
  if (outcome.kind === 'refused') throw refusal(outcome, id);
  const now = outcome.sections.achievements?.completed.find((completed) => completed.key === key)?.achievedAt ?? null;
  const achievedAt = now ?? (await completedAt(ports, account, subject, key));
  return {
    first: now !== null || outcome.pending.includes('achievements'),
    answer: ports.composeCompletionAnswer({ ...common, achievedAt, outcome }),
  };
}

function knownAchievement(ports: IngestionPorts, account: string, key: string): AchievementDefinition {
  const { achievementByKey } = ports.configuration(account).current;
  const definition = achievementByKey.get(key);
  if (definition) return definition;
  throw new ProblemError(unknownThing('unknown_achievement', key, achievementByKey.keys()));
}

function readUser({ trigger }: AchievementDefinition, body: object) {
  const { data, errors } = readRequest(completeAchievementRequest, body);
  if (trigger.type !== 'api')
    errors.unshift({
      path: 'key',
      message: `must name an achievement that is completed by call, not by ${trigger.type}`,
    });
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return data.user;
}

const completedAt = async (ports: IngestionPorts, account: string, subject: Subject, key: string) =>
  (await ports.achievements.completedBy(account, subject)).get(key) ?? null;
