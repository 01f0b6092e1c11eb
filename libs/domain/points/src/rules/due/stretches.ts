import type { Exact } from '@laurel/amounts';
import type { TriggerPeriod, Window } from './schedule.ts';
import type { Debt } from './time-awards.ts';

/**
 * Cuts the debt wherever a validity period begins or ends, oldest part first. Parts without any period in force are
 * left out. Each part has the debt's original total.
 */
export function stretchesOf(debt: Debt): readonly Debt[] {
  const { spans, window } = debt;
  if (window.upTo <= window.after || spans.length === 0) return [];
  return partsOf(debt)
    .map((part) => ({ ...debt, window: part, spans: spans.filter((span) => holds(span, part)) }))
    .filter((stretch) => stretch.spans.length > 0);
}

function partsOf({ spans, window }: Debt): Window[] {
  const cuts = spans
    .flatMap((span) => [span.from - 1, span.until - 1])
    .filter((cut) => window.after < cut && cut < window.upTo);
  const ends = [...new Set([...cuts, window.upTo])].sort((a, b) => a - b);
  return ends.map((upTo, index) => ({ after: ends[index - 1] ?? window.after, upTo }));
}

const holds = (span: TriggerPeriod, part: Window): boolean =>
  span.from - 1 <= part.after && part.upTo <= span.until - 1;

/** The direction in which all triggers of a stretch move the total, and their cap. */
export interface Pull {
  readonly sign: 1 | -1;
  readonly maxPoints: Exact | null;
}

/**
 * The common pull of all triggers of a stretch, or null if they pull in both directions or have different caps: their
 * order then matters.
 */
export function onePull({ spans }: Debt): Pull | null {
  const [first, ...others] = spans.map(pullOf);
  if (first === undefined) return null;
  return others.every(({ sign, maxPoints }) => sign === first.sign && maxPoints === first.maxPoints) ? first : null;
}

const pullOf = ({ points, maxPoints }: TriggerPeriod): Pull => ({ sign: points > 0 ? 1 : -1, maxPoints });
