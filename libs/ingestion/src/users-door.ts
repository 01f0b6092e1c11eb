import type { Instant } from '@laurel/calendar';
import {
  type IdentifyUser,
  identifyRequest,
  invalidRequest,
  isUserId,
  ProblemError,
  problemOf,
  readRequest,
  type Recorded,
  type UserAnswer,
  type UserFields,
  type UserProfile,
  userUpdateRequest,
} from '@laurel/contracts';
import { applyFields, NEW_PROFILE } from '@laurel/profile';
import { userFields } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

/** `POST /v1/users`: creates or updates the user that the body names (specification, section 8). */
export async function identifyUser(
  ports: IngestionPorts,
  account: string,
  body: object,
): Promise<{ readonly created: boolean; readonly user: UserAnswer }> {
  const { data, errors } = readRequest(identifyRequest, body);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  const command = identification(account, data.id, userFields(data));
  const outcome = await record(ports, command);
  const known = await ports.users.find(account, command.userId);
  return { created: outcome.sections.users?.created ?? known === null, user: answerOf(ports, command, outcome, known) };
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
  const { data, errors } = readRequest(userUpdateRequest, body);
  if (!isUserId(id))
    errors.unshift({ path: 'id', message: 'must have 1–255 characters without NUL and lone surrogates' });
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  const command = identification(account, id, userFields(data));
  const outcome = await record(ports, command);
  return answerOf(ports, command, outcome, await ports.users.find(account, id));
}

const identification = (account: string, userId: string, user: UserFields): IdentifyUser => ({
  type: 'IdentifyUser',
  account,
  userId,
  user,
});

async function record(ports: IngestionPorts, command: IdentifyUser): Promise<Recorded> {
  const [outcome] = await ports.intake.submit([command]);
  if (outcome?.kind === 'refused') throw refusal(outcome, 'attributes');
  if (outcome?.kind !== 'recorded') throw new Error('an identification was answered as if it had a key');
  return outcome;
}

/** The user as they can be read; if that is not certain to show the call yet, with what it will change. */
function answerOf(
  ports: IngestionPorts,
  { userId, user }: IdentifyUser,
  { pending, occurredAt }: Recorded,
  known: UserProfile | null,
): UserAnswer {
  if (known !== null && !pending.includes('users')) return ports.composeUserAnswer(known);
  return ports.composeUserAnswer(applyFields(known ?? newUser(userId, occurredAt), user));
}

const newUser = (id: string, at: Instant): UserProfile => ({
  id,
  ...NEW_PROFILE,
  createdAt: at,
  updatedAt: at,
  totals: new Map(),
});
