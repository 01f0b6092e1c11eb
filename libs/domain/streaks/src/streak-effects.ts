import { formatMillionths, parseMillionths } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import type { Effect, Occasion, StreakAfter, StreakAtRisk, StreakEffect } from '@laurel/kernel';

/**
 * The column `streaks` of an event's row: a list, in the order in which it happened, of a kind and whole numbers.
 *
 * | element                               | stands for                                        |
 * | ------------------------------------- | ------------------------------------------------- |
 * | `["started", period, later, …after]`  | `StreakStarted`                                   |
 * | `["extended", length, period, later, …after]` | `StreakExtended`                          |
 * | `["revived", length, later]`          | `StreakRevived`                                   |
 * | `["ended", length, generation, later, erased]` | `StreakEnded`; `erased` is 1 for `byErasure` |
 * | `["earned", earned, held, later]`     | `FreezeEarned`; `later` is one more from 0 on, 0: it is not said |
 * | `["granted", granted, held]`          | `FreezesGranted`                                  |
 * | `["used", length, period, later, held]` | `FreezeUsed`; `held` is one more than are held, 0: it is not said |
 * | `["skipped", length, period]`         | `PeriodSkipped`                                   |
 * | `["excused", length, period]`         | `PeriodExcused`                                   |
 * | `["rejoined", length, joined, later]` | `StreakRejoined`                                  |
 * | `["at risk", length, period, later, started, extended, ends, last, held, metric, missing, …]` | `StreakAtRisk`; `started` and `last` as `period`, `extended` and `ends` as `later`, what is missing as decimals |
 *
 * `period` counts days from the event's day in UTC to the period's first; `later`, milliseconds from the event to the instant. Both are
 * mostly 0 or negative. `after` is `held, started, expires`: one more than the freezes held, 0: nothing is said of it; the others count days from the
 * period's first. Zeros at the end are left out.
 */
type Element = readonly [kind: Kind, ...numbers: readonly number[]] | AtRisk;
type AtRisk = readonly ['at risk', ...numbers: AtRiskNumbers, ...missing: readonly string[]];
type AtRiskNumbers = readonly [number, number, number, number, number, number, number, number];
type Kind =
  'started' | 'extended' | 'revived' | 'ended' | 'earned' | 'granted' | 'used' | 'skipped' | 'excused' | 'rejoined';

type AtEvent = Pick<Occasion, 'occurredAt'>;

/** null: the event changed nothing here. Effects of other areas are left out. */
export function encodeStreakEffects(effects: readonly Effect[], event: AtEvent): string | null {
  const stored: Element[] = [];
  for (const effect of effects) {
    const element = elementOf(effect, event);
    if (element !== null) stored.push(withoutLastZeros(element));
  }
  return stored.length === 0 ? null : JSON.stringify(stored);
}

function elementOf(effect: Effect, { occurredAt }: AtEvent): Element | null {
  switch (effect.type) {
    case 'StreakStarted':
      return ['started', effect.period - dayAt(occurredAt, 'UTC'), effect.at - occurredAt, ...after(effect)];
    case 'StreakExtended':
      return [
        ...(['extended', effect.length, effect.period - dayAt(occurredAt, 'UTC'), effect.at - occurredAt] as const),
        ...after(effect),
      ];
    case 'StreakRevived':
      return ['revived', effect.length, effect.at - occurredAt];
    case 'StreakEnded':
      return ['ended', effect.length, effect.generation, effect.at - occurredAt, effect.byErasure ? 1 : 0];
    case 'FreezeEarned':
      return [
        ...(['earned', effect.earned, effect.held] as const),
        ...(effect.earnedAt === undefined ? [] : [awayFromZero(effect.earnedAt - occurredAt)]),
      ];
    case 'FreezesGranted':
      return ['granted', effect.granted, effect.held];
    case 'FreezeUsed':
      return [
        ...(['used', effect.length, effect.period - dayAt(occurredAt, 'UTC'), effect.at - occurredAt] as const),
        ...(effect.held === undefined ? [] : [effect.held + 1]),
      ];
    case 'PeriodSkipped':
      return ['skipped', effect.length, effect.period - dayAt(occurredAt, 'UTC')];
    case 'PeriodExcused':
      return ['excused', effect.length, effect.period - dayAt(occurredAt, 'UTC')];
    case 'StreakRejoined':
      return ['rejoined', effect.length, effect.joined, effect.at - occurredAt];
    case 'StreakAtRisk':
      return atRisk(effect, occurredAt);
    default:
      return null;
  }
}

function after({ period, after: told }: { readonly period: Day; readonly after?: StreakAfter }): readonly number[] {
  return told === undefined ? [] : [told.held + 1, told.startedOn - period, told.expiresOn - period];
}

const awayFromZero = (later: number): number => (later < 0 ? later : later + 1);

const earnedAtIn = (stored: number, occurredAt: Instant): { readonly earnedAt?: Instant } =>
  stored === 0 ? {} : { earnedAt: occurredAt + (stored < 0 ? stored : stored - 1) };

function afterIn(period: Day, held: number, started: number, expires: number): { readonly after?: StreakAfter } {
  if (held === 0) return {};
  return { after: { startedOn: period + started, expiresOn: period + expires, held: held - 1 } };
}

function atRisk(effect: StreakAtRisk, occurredAt: Instant): AtRisk {
  const today = dayAt(occurredAt, 'UTC');
  const { length, period, at, startedOn, extendedAt, expiresAt, expiresOn, held, missing } = effect;
  return [
    ...(['at risk', length, period - today, at - occurredAt, startedOn - today] as const),
    ...([extendedAt - occurredAt, expiresAt - occurredAt, expiresOn - today, held] as const),
    ...missing.flatMap(({ metric, amount }) => [metric, formatMillionths(amount)]),
  ];
}

function atRiskIn([, ...stored]: AtRisk, occurredAt: Instant): StreakAtRisk {
  const today = dayAt(occurredAt, 'UTC');
  const [length, period = 0, at = 0, startedOn = 0, extendedAt = 0, ...rest] = stored;
  const [expiresAt = 0, expiresOn = 0, held = 0, ...texts] = rest;
  const missing = Array.from({ length: texts.length / 2 }, (_, place) => ({
    metric: texts[2 * place] as string,
    amount: parseMillionths(texts[2 * place + 1] as string),
  }));
  return {
    ...{ type: 'StreakAtRisk', length, held, missing },
    ...{ period: today + period, startedOn: today + startedOn, expiresOn: today + expiresOn },
    ...{ at: occurredAt + at, extendedAt: occurredAt + extendedAt, expiresAt: occurredAt + expiresAt },
  };
}

function withoutLastZeros(element: Element): Element {
  let end = element.length;
  while (end > 1 && element[end - 1] === 0) end--;
  return end === element.length ? element : (element.slice(0, end) as unknown as Element);
}

export function decodeStreakEffects(streaks: string, { occurredAt }: AtEvent): readonly StreakEffect[] {
  const today = dayAt(occurredAt, 'UTC');
  return (JSON.parse(streaks) as readonly Element[]).map((element): StreakEffect => {
    if (element[0] === 'at risk') return atRiskIn(element, occurredAt);
    const [kind, first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = element;
    switch (kind) {
      case 'started': {
        const period = today + first;
        const told = afterIn(period, third, fourth, fifth);
        return { type: 'StreakStarted', at: occurredAt + second, length: 1, period, ...told };
      }
      case 'extended': {
        const period = today + second;
        const told = afterIn(period, fourth, fifth, sixth);
        return { type: 'StreakExtended', at: occurredAt + third, length: first, period, ...told };
      }
      case 'revived':
        return { type: 'StreakRevived', at: occurredAt + second, length: first };
      case 'ended':
        return {
          ...{ type: 'StreakEnded', at: occurredAt + third, length: first, generation: second },
          ...(fourth === 1 && { byErasure: true }),
        };
      case 'earned':
        return { type: 'FreezeEarned', earned: first, held: second, ...earnedAtIn(third, occurredAt) };
      case 'granted':
        return { type: 'FreezesGranted', granted: first, held: second };
      case 'used': {
        const held = fourth > 0 && { held: fourth - 1 };
        return { type: 'FreezeUsed', at: occurredAt + third, period: today + second, length: first, ...held };
      }
      case 'skipped':
        return { type: 'PeriodSkipped', period: today + second, length: first };
      case 'excused':
        return { type: 'PeriodExcused', period: today + second, length: first };
      case 'rejoined':
        return { type: 'StreakRejoined', at: occurredAt + third, length: first, joined: second };
    }
  });
}
