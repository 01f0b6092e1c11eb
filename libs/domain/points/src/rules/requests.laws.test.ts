import { effectsOfType, verdictIn, type PointsRequest, type Verdict } from '@laurel/kernel';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { hoursLater, reported, storyOf, UNITS, type StoryEvent } from '../occasions.fixture.ts';
import { every, onMetric, USER } from '../points.fixture.ts';

interface Action {
  readonly pauseHours: number;
  readonly does:
    | { readonly type: 'earn'; readonly points: number }
    | { readonly type: 'spend'; readonly amount: number }
    /** `spend`: place of an earlier action, which need not be a spend. */
    | { readonly type: 'refund'; readonly spend: number; readonly amount: number | null };
}

interface Life {
  readonly maxPoints: number | null;
  readonly hourly: number;
  readonly actions: readonly Action[];
}

/** What an action led to: the total after it, and how a request was decided. */
interface Step {
  readonly total: number;
  readonly verdict: Verdict | null;
}

const small = fc.integer({ min: 1, max: 20 });

const lives: fc.Arbitrary<Life> = fc.record({
  maxPoints: fc.option(fc.integer({ min: 10, max: 60 }), { nil: null }),
  hourly: fc.integer({ min: -3, max: 3 }).filter((points) => points !== 0),
  actions: fc.array(
    fc.record({
      pauseHours: fc.integer({ min: 0, max: 3 }),
      does: fc.oneof(
        fc.record({ type: fc.constant('earn' as const), points: small }),
        fc.record({ type: fc.constant('spend' as const), amount: small }),
        fc.record({
          type: fc.constant('refund' as const),
          spend: fc.nat({ max: 12 }),
          amount: fc.option(small, { nil: null }),
        }),
      ),
    }),
    { minLength: 1, maxLength: 40, size: 'max' },
  ),
});

/** The first action has the position 2. */
const positionOf = (place: number): number => place + 2;

/** What the specification says, hour by hour. @param decided the verdicts of an earlier life, by place */
function interpreted({ maxPoints, hourly, actions }: Life, decided: readonly (Verdict | null)[] = []): readonly Step[] {
  const most = maxPoints ?? Infinity;
  const left = new Map<number, number>();
  let total = 0;
  const move = (points: number): number => {
    const after = Math.max(0, points > 0 ? Math.max(total, Math.min(most, total + points)) : total + points);
    const moved = after - total;
    total = after;
    return moved;
  };
  return actions.map(({ pauseHours, does }, place) => {
    for (let hour = 0; hour < pauseHours; hour++) move(hourly);
    if (does.type === 'earn') {
      move(does.points);
      return { total, verdict: null };
    }
    const available = does.type === 'spend' ? total : (left.get(does.spend) ?? 0);
    const asked = does.amount ?? available;
    const verdict =
      decided[place] ??
      (asked > 0 && asked <= available
        ? ({ accepted: true, amount: asked } as const)
        : ({ accepted: false, available } as const));
    if (!verdict.accepted) return { total, verdict };
    if (does.type === 'spend') {
      const moved = Math.abs(move(-verdict.amount));
      left.set(place, moved);
      return { total, verdict: { ...verdict, moved } };
    }
    const moved = move(Math.min(verdict.amount, available));
    left.set(does.spend, available - moved);
    return { total, verdict: { ...verdict, moved } };
  });
}

/** What the rules say. */
function applied({ maxPoints, hourly, actions }: Life, decided: readonly (Verdict | null)[] = []): readonly Step[] {
  const story = storyOf([onMetric('commits', 1, 1), every(1, 'hour', hourly)], {
    ...(maxPoints !== null && { maxPoints }),
  });
  let hours = 0;
  let total = 0;
  return actions.map(({ pauseHours, does }, place) => {
    hours += pauseHours;
    const at = hoursLater(hours);
    const spends = (of: number) => actions[of]?.does.type === 'spend' && of < place;
    const request = requestOf(does, spends, decided[place] ?? null);
    const happens: StoryEvent =
      does.type === 'earn' ? reported(does.points * UNITS, at) : { at, happened: { event: request!, reported: null } };
    const effects = story.when(happens);
    total = Number(effectsOfType(effects, 'PointsAwarded').at(-1)?.total ?? total);
    return { total, verdict: verdictIn(effects) };
  });

  function requestOf(
    does: Action['does'],
    isSpend: (place: number) => boolean,
    verdict: Verdict | null,
  ): PointsRequest | null {
    const common = { subject: USER, system: 'xp', keyHash: 'key', ...(verdict !== null && { verdict }) };
    if (does.type === 'spend') return { type: 'SpendRequested', ...common, amount: does.amount };
    if (does.type === 'earn') return null;
    const { spend, amount } = does;
    const spent = isSpend(spend) ? spentBy(spend) : 0;
    const named = { position: positionOf(spend), eventId: 'e', spent };
    return { type: 'RefundRequested', ...common, spend: named, amount };
  }

  /** The amount of a spend that was accepted, as its record says. */
  function spentBy(place: number): number {
    const verdict =
      decided[place] ?? interpreted({ maxPoints, hourly, actions: actions.slice(0, place + 1) })[place]?.verdict;
    return verdict?.accepted ? verdict.amount : 0;
  }
}

/** The parts of a verdict that a later life takes over. */
const verdictsOf = (steps: readonly Step[]): readonly (Verdict | null)[] => steps.map(({ verdict }) => verdict);

describe('requests for points', () => {
  it('are decided as the specification says, in any life', async () => {
    const seen = { spent: 0, refused: 0, refunded: 0, alreadyRefunded: 0, cutByCap: 0 };
    await assertCovering(
      fc.property(lives, (life) => {
        const steps = applied(life);
        expect(steps).toEqual(interpreted(life));
        steps.forEach(({ verdict }, place) => {
          const isSpend = life.actions[place]?.does.type === 'spend';
          if (verdict?.accepted === true) seen[isSpend ? 'spent' : 'refunded']++;
          if (verdict?.accepted === false) seen[isSpend ? 'refused' : 'alreadyRefunded']++;
          if (verdict?.accepted === true && verdict.moved < verdict.amount) seen.cutByCap++;
        });
      }),
      { numRuns: 300 },
      () => Object.fromEntries(Object.entries(seen).map(([what, times]) => [what, times > 20])),
    );
  });

  it('keep their verdicts in a life without some of the points', async () => {
    let cut = 0;
    await assertCovering(
      fc.property(lives, fc.nat(), (life, nth) => {
        const verdicts = verdictsOf(applied(life));
        const earns = life.actions.flatMap(({ does }, place) => (does.type === 'earn' ? [place] : []));
        if (earns.length === 0) return;
        const gone = earns[nth % earns.length];
        const actions = life.actions.map((action, place) =>
          place === gone ? { ...action, does: { type: 'earn' as const, points: 0 } } : action,
        );
        const corrected = { ...life, actions };
        const steps = applied(corrected, verdicts);
        expect(steps).toEqual(interpreted(corrected, verdicts));
        for (const { verdict } of steps) if (verdict?.accepted === true && verdict.moved < verdict.amount) cut++;
      }),
      { numRuns: 300 },
      () => ({ cut: cut > 20 }),
    );
  });
});
