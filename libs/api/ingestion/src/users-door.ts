import type { Instant } from '@laurel/calendar';
import type { IdentifyUser, Recorded, UserFields } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import {
  identifyRequest,
  invalidRequest,
  isUserId,
  preferencesAnswer,
  preferencesRequest,
  ProblemError,
  readRequest,
  userUpdateRequest,
  knownUser,
  type PreferencesAnswer,
  type UserAnswer,
} from '@laurel/schemas';
import { applyFields, NEW_PROFILE, type NotificationChannel, type NotificationType } from '@laurel/profile';
import { assignSubject } from './assign-subjects.ts';
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
  const { outcome, known, user } = await record(ports, account, data.id, userFields(data));
  return { created: outcome.sections.users?.created ?? known === null, user };
}

/** `PUT /v1/users/{id}` creates an unknown user, `PATCH` refuses one with 404; both leave absent fields as they were. */
export async function updateUser(
  ports: IngestionPorts,
  account: string,
  id: string,
  body: object,
  unknown: 'create' | 'refuse',
): Promise<UserAnswer> {
  if (unknown === 'refuse') await knownUser(ports, account, id);
  const { data, errors } = readRequest(userUpdateRequest, body);
  if (!isUserId(id))
    errors.unshift({ path: 'id', message: 'must have 1–255 characters without NUL and lone surrogates' });
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return (await record(ports, account, id, userFields(data))).user;
}

/** `PATCH /v1/users/{id}/preferences`: refuses an unknown user with 404. */
export async function updatePreferences(
  ports: IngestionPorts,
  account: string,
  id: string,
  body: object,
): Promise<PreferencesAnswer> {
  const { profile } = await knownUser(ports, account, id);
  const { data, errors } = readRequest(preferencesRequest, body);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  const fields = notificationFields(data.notifications ?? {});
  const { outcome, known } = await record(ports, account, id, fields);
  const isShown = known !== null && !outcome.pending.includes('users');
  return preferencesAnswer((isShown ? known : applyFields(known ?? profile, fields)).notifications);
}

const notificationFields = (said: {
  readonly [Type in NotificationType]?: readonly NotificationChannel[] | undefined;
}): UserFields => ({
  notifications: Object.fromEntries(Object.entries(said).filter(([, channels]) => channels !== undefined)),
});

async function record(ports: IngestionPorts, account: string, id: string, user: UserFields) {
  const subject = await assignSubject(ports, account, id, 'id');
  const command: IdentifyUser = { type: 'IdentifyUser', account, subject, user };
  const [outcome] = await ports.intake.submit([command]);
  if (outcome?.kind === 'refused') throw refusal(outcome, id, 'attributes');
  if (outcome?.kind !== 'recorded') throw new Error('an identification was answered as if it had a key');
  const known = await ports.users.find(account, subject);
  return { outcome, known, user: answerOf(ports, id, user, outcome, known) };
}

/** The user as they can be read; if that is not certain to show the call yet, with what it will change. */
function answerOf(
  ports: IngestionPorts,
  id: string,
  user: UserFields,
  { pending, occurredAt }: Recorded,
  known: UserProfile | null,
): UserAnswer {
  if (known !== null && !pending.includes('users')) return ports.composeUserAnswer(id, known);
  return ports.composeUserAnswer(id, applyFields(known ?? newUser(occurredAt), user));
}

const newUser = (at: Instant): UserProfile => ({ ...NEW_PROFILE, createdAt: at, updatedAt: at, totals: new Map() });
