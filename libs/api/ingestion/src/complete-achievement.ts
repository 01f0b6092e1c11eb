import { boundedWindow, type AchievementDefinition, type CompleteAchievement, type Subject } from '@laurel/kernel';
import {
  type CompletionAnswer,
  completeAchievementRequest,
  invalidRequest,
  ProblemError,
  readRequest,
} from '@laurel/schemas';
import { type ApiCall, configured, jsonBody } from '@laurel/runtime';
import { assignSubject } from './assign-subjects.ts';
import { userFields } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { submitOne } from './submit-one.ts';

/**
 * `POST /v1/achievements/{key}/complete`. The first call answers 201, and settles composites and points like an event.
 * Later calls record nothing, and answer 202 with the instant of the first (specification, section 8).
 */
export async function completeAchievement(
  ports: IngestionPorts,
  { account, path: { key }, request, reply }: ApiCall<'key'>,
): Promise<CompletionAnswer> {
  const body = jsonBody(request);
  const definition = configured('unknown_achievement', key, ports.configuration(account).current.achievementByKey);
  const { id, ...fields } = readUser(definition, body);
  const common = { account, userId: id, definition };
  const subject = await assignSubject(ports, account, id, 'user.id');
  const before = await completedAt(ports, account, subject, key);
  reply.code(202);
  if (before !== null) return ports.composeCompletionAnswer({ ...common, achievedAt: before, outcome: null });
  const window = boundedWindow(definition);
  const command: CompleteAchievement = {
    type: 'CompleteAchievement',
    account,
    subject,
    achievement: key,
    user: userFields(fields),
    ...(window !== null && { window }),
  };
  const outcome = await submitOne(ports, command, id);
  const now = outcome.sections.achievements?.completed.find((completed) => completed.key === key)?.achievedAt ?? null;
  const achievedAt = now ?? (await completedAt(ports, account, subject, key));
  if (now !== null || outcome.pending.includes('achievements')) reply.code(201);
  return ports.composeCompletionAnswer({ ...common, achievedAt, outcome });
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
