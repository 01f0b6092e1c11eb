import type { Frequency } from '@laurel/calendar';

/** The periods for which a cap can hold, with how often they begin. */
export const CAP_PERIODS = { day: 'daily', week: 'weekly', month: 'monthly' } as const satisfies Record<
  string,
  Frequency
>;
export type CapPeriod = keyof typeof CAP_PERIODS;

/** A document's cap: at most so many points within a period of the user's clock. */
export interface WrittenCap {
  readonly per: CapPeriod;
  readonly points: number;
}

/** {@link WrittenCap} in a compiled version. */
export interface PointsCap {
  readonly per: CapPeriod;
  readonly points: bigint;
}
