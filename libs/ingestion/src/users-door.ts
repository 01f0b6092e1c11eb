import {
  type IdentifyUser,
  identifyRequest,
  invalidRequest,
  isUserId,
  ProblemError,
  type ProblemItem,
  problemItems,
  problemOf,
  type Recorded,
  type UserAnswer,
  type UserFields,
  userUpdateRequest,
} from '@laurel/contracts';
import { userFields } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

/** `POST /v1/users`: creates or updates the user that the body names (specification, section 8). */
export async function identifyUser(
  ports: IngestionPorts,
  account: string,
  body: object,
): Promise<{ readonly created: boolean; readonly user: UserAnswer }> {
  const parsed = identifyRequest.safeParse(body);
  if (!parsed.success) throw new ProblemError(invalidRequest(problemItems(parsed.error)));
  const { sections } = await record(ports, account, parsed.data.id, userFields(parsed.data));
  return { created: sections.users?.created ?? false, user: await answerOf(ports, account, parsed.data.id) };
}

/** `PUT /v1/users/{id}` creates an unknown user, `PATCH` refuses one with 404; both leave absent fields as they were. */
export async function updateUser(
  ports: IngestionPorts,
  account: string,
  id: string,
  body: object,
  unknown: 'create' | 'refuse',
): Promise<UserAnswer> {
  if (unknown === 'refuse' && !(isUserId(id) && (await ports.users.find(account, id))))
    throw new ProblemError(problemOf('unknown_user', 'There is no user with this id.'));
  const parsed = userUpdateRequest.safeParse(body);
  const errors: ProblemItem[] = parsed.success ? [] : problemItems(parsed.error);
  if (!isUserId(id))
    errors.unshift({ path: 'id', message: 'must have 1–255 characters without NUL and lone surrogates' });
  if (!parsed.success || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  await record(ports, account, id, userFields(parsed.data));
  return answerOf(ports, account, id);
}

async function record(ports: IngestionPorts, account: string, userId: string, user: UserFields): Promise<Recorded> {
  const command: IdentifyUser = { type: 'IdentifyUser', account, userId, user };
  const [outcome] = await ports.intake.submit([command]);
  if (outcome?.kind === 'refused') throw refusal(outcome);
  if (outcome?.kind !== 'recorded') throw new Error('an identification was answered as if it had a key');
  return outcome;
}

async function answerOf(ports: IngestionPorts, account: string, id: string): Promise<UserAnswer> {
  const profile = await ports.users.find(account, id);
  if (profile === null) throw new Error('a user who was recorded cannot be read');
  return ports.composeUserAnswer(profile);
}
