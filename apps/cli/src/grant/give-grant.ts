import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, TURNED_AWAY, type Request } from '../service/service-connection.ts';
import { noSuchUser } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';

export interface GrantOptions extends AnswerOptions {
  readonly reason: string;
  readonly idempotencyKey?: string;
}

export interface PointsOptions extends GrantOptions {
  readonly boards: boolean;
}

/** The fields of the answer that the command prints. */
interface Granted {
  readonly eventId: string;
  readonly achievements: readonly { readonly key: string }[];
  readonly currentStreak: { readonly length: number; readonly freezes?: number; readonly maxFreezes?: number } | null;
  readonly points: Readonly<Record<string, { readonly added: number; readonly total: number }>>;
  readonly pending?: readonly string[];
  readonly idempotentReplayed?: boolean;
}

interface ToUser {
  readonly user: string;
}

export function grantPoints(
  { user, system, amount }: ToUser & { readonly system: string; readonly amount: number },
  options: PointsOptions,
  context: CommandContext,
): Promise<void> {
  const body = { pointsSystem: system, amount, reason: options.reason, ...(!options.boards && { boards: false }) };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/points', { params: paramsOf(user, options), body, ...settings }),
    ({ points }) => {
      const { added, total } = points[system] ?? { added: 0, total: 0 };
      return `${added} ${plainText(system)} for ${plainText(user)}, total ${total}`;
    },
    { user, options, context },
  );
}

export interface BoostOptions extends GrantOptions {
  readonly until?: string;
  readonly minutes?: number;
  readonly name?: string;
  readonly rounding?: 'down' | 'up' | 'nearest';
}

export function grantBoost(
  { user, system, multiplier }: ToUser & { readonly system: string; readonly multiplier: number },
  options: BoostOptions,
  context: CommandContext,
): Promise<void> {
  const { reason, until, minutes, name, rounding } = options;
  const lasts = { ...(until !== undefined && { until }), ...(minutes !== undefined && { minutes }) };
  const shown = { ...(name !== undefined && { name }), ...(rounding !== undefined && { rounding }) };
  const body = { pointsSystem: system, multiplier, reason, ...lasts, ...shown };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/boost', { params: paramsOf(user, options), body, ...settings }),
    () => `${plainText(system)} × ${multiplier} for ${plainText(user)}`,
    { user, options, context },
  );
}

export function grantFreezes(
  { user, amount }: ToUser & { readonly amount: number },
  options: GrantOptions,
  context: CommandContext,
): Promise<void> {
  const body = { amount, reason: options.reason };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/freezes', { params: paramsOf(user, options), body, ...settings }),
    ({ currentStreak }) =>
      currentStreak?.freezes === undefined
        ? `freezes for ${plainText(user)}`
        : `${plainText(user)} holds ${currentStreak.freezes} of ${currentStreak.maxFreezes} freezes`,
    { user, options, context },
  );
}

export function restoreStreak({ user }: ToUser, options: GrantOptions, context: CommandContext): Promise<void> {
  const body = { reason: options.reason };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/streak', { params: paramsOf(user, options), body, ...settings }),
    ({ currentStreak }) => streakText(user, currentStreak, 'the streak is restored'),
    { user, options, context },
  );
}

export function excuseDays(
  { user, from, to }: ToUser & { readonly from: string; readonly to: string },
  options: GrantOptions,
  context: CommandContext,
): Promise<void> {
  const body = { from, to, reason: options.reason };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/excused', { params: paramsOf(user, options), body, ...settings }),
    ({ currentStreak }) => streakText(user, currentStreak, 'days are excused'),
    { user, options, context },
  );
}

const streakText = (user: string, streak: Granted['currentStreak'], otherwise: string): string =>
  streak === null
    ? `${otherwise} for ${plainText(user)}`
    : `the streak of ${plainText(user)} has the length ${streak.length}`;

export function grantAchievement(
  { user, achievement }: AchievementToUser,
  options: GrantOptions,
  context: CommandContext,
): Promise<void> {
  const body = { achievement, reason: options.reason };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/achievement', { params: paramsOf(user, options), body, ...settings }),
    ({ achievements }) => {
      const completed = achievements.map(({ key }) => plainText(key)).join(', ');
      return completed === ''
        ? `nothing to complete for ${plainText(user)}: ${plainText(achievement)}`
        : `completed for ${plainText(user)}: ${completed}`;
    },
    { user, options, context },
  );
}

export function revokeAchievement(
  { user, achievement }: AchievementToUser,
  options: GrantOptions,
  context: CommandContext,
): Promise<void> {
  const body = { achievement, reason: options.reason };
  return grant(
    (client, settings) =>
      client.POST('/admin/v1/users/{id}/grants/revocation', { params: paramsOf(user, options), body, ...settings }),
    () =>
      `${plainText(achievement)} is taken back from ${plainText(user)}; if its condition is met, the next event completes it, and pays for it, again`,
    { user, options, context },
  );
}

interface AchievementToUser extends ToUser {
  readonly achievement: string;
}

const paramsOf = (id: string, { idempotencyKey: key }: GrantOptions) => ({
  path: { id },
  ...(key !== undefined && { header: { 'Idempotency-Key': key } }),
});

interface Grant {
  readonly user: string;
  readonly options: GrantOptions;
  readonly context: CommandContext;
}

/** Without a key, a request that may have been carried out is not repeated: it would give twice. */
async function grant(
  request: Request<{ readonly data?: Granted; readonly error?: unknown; readonly response: Response }>,
  describe: (answer: Granted) => string,
  { user, options, context }: Grant,
): Promise<void> {
  const service = await connectService(options, context);
  const retryOn = options.idempotencyKey === undefined ? RATE_LIMITED : TURNED_AWAY;
  const answer = await service.ask(request, { retryOn }).catch(noSuchUser(user));
  const { eventId, pending, idempotentReplayed: replayed } = answer;
  const incomplete = pending === undefined ? '' : `; not applied yet by: ${pending.join(', ')}`;
  const said = `${replayed === true ? 'already recorded' : 'recorded'} ${plainText(eventId)}: ${describe(answer)}${incomplete}`;
  await printAnswer(context, options, answer, () => [said]);
}
