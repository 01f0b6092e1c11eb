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
import { type ApiCall, jsonBody, valid, validBody } from '@laurel/runtime';
import { assignSubject } from './assign-subjects.ts';
import { userFields } from './commands.ts';
import type { IngestionPorts } from './ports.ts';
import { submitOne } from './submit-one.ts';

/** `POST /v1/users`: creates or updates the user named in the body (specification, section 8). */
export async function identifyUser(
  ports: IngestionPorts,
  { account, request, reply }: Pick<ApiCall, 'account' | 'request' | 'reply'>,
): Promise<UserAnswer> {
  const data = validBody(identifyRequest, request);
  const { outcome, known, user } = await record(ports, account, data.id, userFields(data));
  const isCreated = outcome.sections.users?.created ?? known === null;
  reply.code(isCreated ? 201 : 200);
  return user;
}

/** `PUT /v1/users/{id}` creates unknown users, `PATCH` answers 404 for them. Both leave missing fields unchanged. */
export async function updateUser(
  ports: IngestionPorts,
  { account, path: { id }, request }: Pick<ApiCall<'id'>, 'account' | 'path' | 'request'>,
  unknown: 'create' | 'refuse',
): Promise<UserAnswer> {
  const body = jsonBody(request);
  if (unknown === 'refuse') await knownUser(ports, account, id);
  const { data, errors } = readRequest(userUpdateRequest, body);
  if (!isUserId(id))
    errors.unshift({ path: 'id', message: 'must have 1–255 characters without NUL and lone surrogates' });
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return (await record(ports, account, id, userFields(data))).user;
}

/** `PATCH /v1/users/{id}/preferences`: answers 404 for an unknown user. */
export async function updatePreferences(
  ports: IngestionPorts,
  { account, path: { id }, request }: ApiCall<'id'>,
): Promise<PreferencesAnswer> {
  const body = jsonBody(request);
  const { profile } = await knownUser(ports, account, id);
  const { notifications = {} } = valid(preferencesRequest, body);
  const fields = notificationFields(notifications);
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
  const outcome = await submitOne(ports, command, id, 'attributes');
  if (outcome.kind !== 'recorded') throw new Error(`an identification was not recorded, but ${outcome.kind}`);
  const known = await ports.users.find(account, subject);
  return { outcome, known, user: ports.composeUserAnswer(id, profileAfter(outcome, known, user)) };
}

/** The stored profile. If it may not include the command's change yet, the change is applied here. */
function profileAfter({ pending, occurredAt }: Recorded, known: UserProfile | null, user: UserFields): UserProfile {
  if (known !== null && !pending.includes('users')) return known;
  return applyFields(known ?? newUser(occurredAt), user);
}

const newUser = (at: Instant): UserProfile => ({
  ...NEW_PROFILE,
  createdAt: at,
  updatedAt: at,
  totals: new Map(),
  attributeHashes: new Map(),
});
