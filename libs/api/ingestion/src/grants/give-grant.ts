import { daysBetween } from '@laurel/calendar';
import type { Grant } from '@laurel/kernel';
import {
  achievementGrantRequest,
  createSuggest,
  excusedGrantRequest,
  freezesGrantRequest,
  invalidRequest,
  MOST_EXCUSED_DAYS,
  pointsGrantRequest,
  ProblemError,
  readRequest,
  streakGrantRequest,
  knownUser,
  withPointsSystem,
  type AchievementGrantRequest,
  type ExcusedGrantRequest,
  type GrantAnswer,
  type PointsGrantRequest,
  type ProblemItem,
} from '@laurel/schemas';
import { type ApiCall, jsonBody } from '@laurel/runtime';
import type { z } from 'zod';
import { idempotencyHeader } from '../idempotency-header.ts';
import type { IngestionPorts } from '../ports.ts';
import { submitOne } from '../submit-one.ts';
import { grantCommand } from './grant-command.ts';

/** A kind of grant: the schema of its body, and the grant that a body requests. */
export interface GrantKind<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** Renames fields of the previous release to those of the schema. */
  readonly bodyOf?: (body: unknown) => unknown;
  /** Adds to `errors` why the account cannot give the grant. */
  grantOf(request: z.output<Schema>, account: string, ports: IngestionPorts, errors: ProblemItem[]): Grant;
}

export const POINTS: GrantKind<typeof pointsGrantRequest> = {
  schema: pointsGrantRequest,
  bodyOf: withPointsSystem,
  grantOf: pointsGrant,
};

export const FREEZES: GrantKind<typeof freezesGrantRequest> = {
  schema: freezesGrantRequest,
  grantOf({ amount }, account, { configuration }, errors) {
    if (!configuration(account).current.streak?.freezes)
      errors.push({ path: 'amount', message: 'cannot be given: the configuration in force has no freezes' });
    return { kind: 'freezes', amount };
  },
};

export const STREAK: GrantKind<typeof streakGrantRequest> = {
  schema: streakGrantRequest,
  grantOf(_request, account, { configuration }, errors) {
    if (configuration(account).current.streak === null)
      errors.push({ path: '', message: 'cannot restore a streak: the configuration in force has none' });
    return { kind: 'streak' };
  },
};

export const EXCUSED: GrantKind<typeof excusedGrantRequest> = {
  schema: excusedGrantRequest,
  grantOf({ from, to }: ExcusedGrantRequest, account, { configuration }, errors) {
    const days = daysBetween(from, to) + 1;
    if (days < 1) errors.push({ path: 'to', message: 'must not be before from' });
    if (days > MOST_EXCUSED_DAYS)
      errors.push({ path: 'to', message: `must be at most ${MOST_EXCUSED_DAYS} days from from, both included` });
    if (configuration(account).current.streak === null)
      errors.push({ path: '', message: 'cannot excuse days of a streak: the configuration in force has none' });
    return { kind: 'excused', from, to };
  },
};

export const ACHIEVEMENT = achievementKind('achievement');
export const REVOCATION = achievementKind('revocation');

function achievementKind(kind: 'achievement' | 'revocation'): GrantKind<typeof achievementGrantRequest> {
  return {
    schema: achievementGrantRequest,
    grantOf({ achievement }: AchievementGrantRequest, account, { configuration }, errors) {
      const known = configuration(account).current.achievementByKey;
      if (!known.has(achievement)) errors.push(unknownKey('achievement', 'an achievement', achievement, known));
      return { kind, achievement };
    },
  };
}

export const unknownKey = (
  path: string,
  what: string,
  key: string,
  known: { keys(): Iterable<string> },
): ProblemItem => ({
  path,
  message: `must be the key of ${what}${createSuggest()(key, known.keys())}`,
});

function pointsGrant(
  { pointsSystem: system, amount, boards }: PointsGrantRequest,
  account: string,
  { configuration }: IngestionPorts,
  errors: ProblemItem[],
): Grant {
  const known = configuration(account).current.pointsSystemByKey;
  if (!known.has(system)) errors.push(unknownKey('pointsSystem', 'a points system', system, known));
  return { kind: 'points', system, amount: BigInt(amount), ...(boards === false && { boards }) };
}

/**
 * Records a grant for a known user, and answers with its effects: 201, or 202 for a replay (specification, section 10).
 * @throws ProblemError 404 for an unknown user, 422 that lists everything wrong
 */
export async function giveGrant<Schema extends z.ZodType<{ readonly reason: string }>>(
  ports: IngestionPorts,
  kind: GrantKind<Schema>,
  { account, by, path: { id }, request, reply }: ApiCall<'id'>,
): Promise<GrantAnswer> {
  const body = jsonBody(request);
  const { subject } = await knownUser(ports, account, id);
  const { data, errors } = readRequest(kind.schema, kind.bodyOf?.(body) ?? body);
  const key = idempotencyHeader(request, errors) ?? null;
  const grant = data === undefined ? undefined : kind.grantOf(data, account, ports, errors);
  if (data === undefined || grant === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  const command = grantCommand({ account, subject, grant, by, reason: data.reason, key });
  const outcome = await submitOne(ports, command, id);
  reply.code(outcome.kind === 'recorded' ? 201 : 202);
  return ports.composeGrantAnswer(outcome, key?.key ?? null);
}
