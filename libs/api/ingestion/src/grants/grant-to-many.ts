import type { GiveGrant, Grant, CommandResult, Refused } from '@laurel/kernel';
import {
  UNKNOWN_USER,
  type GrantIssue,
  type GrantToManyAnswer,
  grantToManyRequest,
  invalidRequest,
  knownUsers,
  MOST_USERS_A_CALL,
  ProblemError,
  type ProblemItem,
  readRequest,
  type RestoreStreaksAnswer,
  restoreStreaksRequest,
  type StreakFreezesAnswer,
  streakFreezesRequest,
} from '@laurel/schemas';
import { type ApiCall, invalidField, jsonBody } from '@laurel/runtime';
import type { z } from 'zod';
import { idempotencyHeader, type HeaderKey } from '../idempotency-header.ts';
import type { IngestionPorts } from '../ports.ts';
import { isTurnedAway, refusal, refusalProblem } from '../refusals.ts';
import { EXCUSED, FREEZES, type GrantKind, STREAK } from './give-grant.ts';
import { grantCommand } from './grant-command.ts';

/** `POST /admin/v1/streaks/freezes`: records one event per user, with as many freezes as items that name the user. */
export async function giveFreezes(ports: IngestionPorts, call: ApiCall): Promise<StreakFreezesAnswer> {
  const { account, by } = call;
  const { data, key } = read(call, streakFreezesRequest);
  const amounts = new Map<string, number>();
  for (const { userId } of data.freezes) amounts.set(userId, (amounts.get(userId) ?? 0) + 1);
  allow(FREEZES, { amount: 1, reason: '' }, account, ports);
  const asked = [...amounts].map(([userId, amount]) => ({ userId, grant: { kind: 'freezes', amount } as const }));
  const results = await giveEach(ports, { account, by, reason: data.reason, key }, asked);
  return { issues: results.flatMap(issueOf) };
}

/** `POST /admin/v1/streaks/restore`: records one event per user. */
export async function restoreStreaks(ports: IngestionPorts, call: ApiCall): Promise<RestoreStreaksAnswer> {
  const { account, by } = call;
  const { data, key } = read(call, restoreStreaksRequest);
  const grant = allow(STREAK, { reason: '' }, account, ports);
  const asked = [...new Set(data.users.map(({ id }) => id))].map((userId) => ({ userId, grant }));
  const results = await giveEach(ports, { account, by, reason: data.reason, key }, asked);
  const restored = results.filter(isRestored);
  const others = results.filter((result) => !isRestored(result));
  return {
    restoredUsers: restored.map(({ userId }) => userId),
    issues: others.flatMap((result): GrantIssue[] => {
      const issue = issueOf(result);
      const reason = isReplayed(result)
        ? 'The key was used before for this user: nothing changed now.'
        : 'The user has no streak that has ended.';
      return issue.length > 0 ? issue : [{ userId: result.userId, level: 'warning', reason }];
    }),
  };
}

/**
 * `POST /admin/v1/grants`: records one event per user, one page of users per call. A call with the same key resumes an
 * interrupted one: users who already have the grant are replays.
 * @throws ProblemError 422 for all users without a key, because a retry would not be safe
 */
export async function grantToMany(ports: IngestionPorts, call: ApiCall): Promise<GrantToManyAnswer> {
  const { account, by } = call;
  const { data, key } = read(call, grantToManyRequest);
  const { users, after, reason } = data;
  if (!users && key === null)
    throw invalidField('Idempotency-Key', 'is required for everybody, so that a retry is safe');
  if (users && after) throw invalidField('after', 'is for everybody, so users must be absent');
  const grant = allow(EXCUSED, data, account, ports);
  const page = users ? null : await ports.directory.page(account, after ?? '', MOST_USERS_A_CALL);
  const ids = users ? [...new Set(users)] : (page ?? []).map(({ id }) => id);
  const results = await giveEach(
    ports,
    { account, by, reason, key },
    ids.map((userId) => ({ userId, grant })),
  );
  const count = (kind: CommandResult['kind']) => results.filter(({ outcome }) => outcome?.kind === kind).length;
  return {
    recorded: count('recorded'),
    replayed: count('replayed'),
    // Without a list of users in the request, a null outcome is no issue: such a user has no events, and so no streak.
    issues: results.filter(({ outcome }) => users || outcome !== null).flatMap(issueOf),
    next: page?.length === MOST_USERS_A_CALL ? (ids.at(-1) ?? null) : null,
  };
}

function read<Schema extends z.ZodType>({ request }: ApiCall, schema: Schema) {
  const { data, errors } = readRequest(schema, jsonBody(request));
  const key = idempotencyHeader(request, errors) ?? null;
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { data, key };
}

/** @throws ProblemError 422 if the configuration in force does not allow the grant */
function allow<Schema extends z.ZodType>(
  { grantOf }: GrantKind<Schema>,
  asked: z.output<Schema>,
  account: string,
  ports: IngestionPorts,
): Grant {
  const errors: ProblemItem[] = [];
  const grant = grantOf(asked, account, ports, errors);
  if (errors.length > 0)
    throw new ProblemError(invalidRequest(errors.map((error) => ({ ...error, path: pathOf(error) }))));
  return grant;
}

/** A body for many users has no amount: the amount is the number of items that name the user. */
const pathOf = ({ path }: ProblemItem): string => (path === 'amount' ? 'freezes' : path);

interface Asked {
  readonly userId: string;
  readonly grant: Grant;
}

interface Given {
  readonly account: string;
  readonly by: string;
  readonly reason: string | null | undefined;
  readonly key: HeaderKey | null;
}

interface Result {
  readonly userId: string;
  /** null if the user is unknown. */
  readonly outcome: CommandResult | null;
}

/** @throws ProblemError if the intake accepted no command */
async function giveEach(
  ports: IngestionPorts,
  { account, by, reason, key }: Given,
  asked: readonly Asked[],
): Promise<readonly Result[]> {
  const subjects = await knownUsers(
    ports,
    account,
    asked.map(({ userId }) => userId),
  );
  const commands = new Map<string, GiveGrant>();
  for (const { userId, grant } of asked) {
    const subject = subjects.get(userId);
    if (subject === undefined) continue;
    commands.set(userId, grantCommand({ account, subject, grant, by, reason, key }));
  }
  const outcomes = commands.size === 0 ? [] : await ports.intake.submit([...commands.values()]);
  const refusedCall = refusalOfAll(outcomes);
  if (refusedCall !== null) throw refusal(refusedCall, [...commands.keys()][0] ?? '');
  const byUser = new Map([...commands.keys()].map((userId, place) => [userId, outcomes[place] ?? null]));
  return asked.map(({ userId }) => ({ userId, outcome: byUser.get(userId) ?? null }));
}

/** Why the whole call is refused, or null if it is not; single refusals are then issues in the answer. */
function refusalOfAll(outcomes: readonly CommandResult[]): Refused | null {
  const refusals = outcomes.filter((outcome) => outcome.kind === 'refused');
  const [first] = refusals;
  if (first === undefined) return null;
  if (refusals.length === outcomes.length && refusals.every(isTurnedAway)) return first;
  const open = refusals.find(({ reason }) => reason === 'import_open');
  return outcomes.some(({ kind }) => kind === 'recorded') ? null : (open ?? null);
}

function issueOf({ userId, outcome }: Result): GrantIssue[] {
  if (outcome === null) return [{ userId, level: 'error', reason: UNKNOWN_USER.detail ?? UNKNOWN_USER.title }];
  if (outcome.kind !== 'refused') return [];
  return [{ userId, level: 'error', reason: refusalProblem(outcome, userId).detail ?? outcome.reason }];
}

const isReplayed = ({ outcome }: Result): boolean => outcome?.kind === 'replayed';

/** Also true while a service that has not answered yet (`pending`) may restore the streak. */
function isRestored({ outcome }: Result): boolean {
  if (outcome === null || outcome.kind === 'refused') return false;
  const { streaks } = outcome.sections;
  return outcome.kind === 'recorded' && (streaks === undefined || streaks.changes.some(({ length }) => length > 0));
}
