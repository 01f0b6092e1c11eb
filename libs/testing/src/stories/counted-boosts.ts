import type { Instant } from '@laurel/calendar';
import type { Boost, PointsSystemDefinition, TriggerFired } from '@laurel/kernel';
import type { StoryEvent } from './lives.ts';

const MINUTE_MS = 60_000;
const BOOSTED: readonly string[] = ['metric', 'streak', 'achievement'];

type Terms = Pick<Boost, 'multiplier' | 'rounding' | 'start' | 'end'>;

interface Occasion {
  readonly type: TriggerFired['type'];
  readonly instant: Instant;
  readonly recordedAt: Instant;
}

/** Multiplies a user's awards by the specification, without the rules of points. */
export class CountedBoosts {
  readonly #own: (Terms & { readonly system: string })[] = [];

  /** Notes a boost that the user is given. */
  happens({ at, command }: StoryEvent): void {
    if (command.type !== 'GiveGrant' || command.grant.kind !== 'boost') return;
    const { system, multiplier, rounding, lasts } = command.grant;
    const end = 'until' in lasts ? lasts.until : at + lasts.minutes * MINUTE_MS;
    this.#own.push({ system, multiplier, rounding, start: at, end });
  }

  /** @returns null if no boost applies */
  multiplied(
    nominal: bigint,
    { type, instant, recordedAt }: Occasion,
    { key, boosts }: PointsSystemDefinition,
  ): bigint | null {
    if (nominal <= 0n || !BOOSTED.includes(type)) return null;
    const isWithin = ({ start, end }: Terms) => start <= instant && instant < (end ?? Infinity);
    const own = this.#own.filter(({ system, end }) => system === key && recordedAt < (end ?? Infinity));
    const applying = [...boosts, ...own].filter(isWithin);
    const [first] = applying;
    return first === undefined ? null : rounded(decimalOf(nominal, applying), first.rounding);
  }
}

/** The exact product, as a whole number with two decimals for each multiplier. */
function decimalOf(nominal: bigint, boosts: readonly Terms[]): { readonly whole: bigint; readonly decimals: string } {
  let product = nominal;
  for (const { multiplier } of boosts) product *= BigInt(multiplier);
  const places = 2 * boosts.length;
  const digits = String(product).padStart(places + 1, '0');
  return { whole: BigInt(digits.slice(0, -places)), decimals: digits.slice(-places) };
}

function rounded({ whole, decimals }: ReturnType<typeof decimalOf>, rounding: Boost['rounding']): bigint {
  const goesUp = { down: false, up: /[1-9]/.test(decimals), nearest: decimals >= '5' }[rounding];
  return goesUp ? whole + 1n : whole;
}
