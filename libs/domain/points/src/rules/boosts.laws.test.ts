import type { Instant } from '@laurel/calendar';
import { effectsOfType, type BoostDefinition, type Grant, type PointsTrigger } from '@laurel/kernel';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import {
  caused,
  completed,
  DAY,
  hoursLater,
  identified,
  reported,
  storyOf,
  UNITS,
  type StoryEvent,
} from '../occasions.fixture.ts';
import {
  boost,
  configuration,
  pointsSystem,
  every,
  onAchievement,
  onCreation,
  onMetric,
  onStreak,
  USER,
} from '../points.fixture.ts';
import { pointsRules } from './points.ts';

const HOURS = 48;

type Does =
  | { readonly type: 'earn'; readonly value: number }
  | { readonly type: 'extend'; readonly length: number }
  | { readonly type: 'complete' }
  | { readonly type: 'grant'; readonly amount: number }
  /** A boost of the user's own. */
  | { readonly type: 'boost'; readonly boost: Omit<Drawn, 'from' | 'hours'> & { readonly hours: number } };

interface Life {
  readonly maxPoints: number | null;
  readonly hourly: number;
  /** Points of the triggers metric, streak and achievement. */
  readonly points: readonly [number, number, number];
  readonly boosts: readonly Drawn[];
  /** An hour may lie before those of earlier actions, as in a late import. */
  readonly actions: readonly { readonly hour: number; readonly does: Does }[];
}

interface Drawn {
  readonly hundredths: number;
  readonly rounding: BoostDefinition['rounding'];
  readonly from: number;
  readonly hours: number | null;
}

const boostTerms = {
  hundredths: fc.oneof(fc.constantFrom(1, 33, 50, 150, 200, 250, 10_000), fc.integer({ min: 1, max: 400 })),
  rounding: fc.constantFrom('down' as const, 'up' as const, 'nearest' as const),
};

const points = fc.integer({ min: -7, max: 60 }).filter((given) => given !== 0);

const lives: fc.Arbitrary<Life> = fc.record({
  maxPoints: fc.option(fc.integer({ min: 50, max: 900 }), { nil: null }),
  hourly: points,
  points: fc.tuple(points, points, points),
  boosts: fc.array(
    fc.record({
      ...boostTerms,
      from: fc.integer({ min: -2, max: HOURS }),
      hours: fc.option(fc.integer({ min: 1, max: 24 }), { nil: null }),
    }),
    { maxLength: 3 },
  ),
  actions: fc.array(
    fc.record({
      hour: fc.integer({ min: 0, max: HOURS }),
      does: fc.oneof(
        fc.record({ type: fc.constant('earn' as const), value: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ type: fc.constant('extend' as const), length: fc.integer({ min: 2, max: 4 }) }),
        fc.record({ type: fc.constant('complete' as const) }),
        fc.record({ type: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 9 }) }),
        fc.record({
          type: fc.constant('boost' as const),
          boost: fc.record({ ...boostTerms, hours: fc.integer({ min: 1, max: 24 }) }),
        }),
      ),
    }),
    { minLength: 1, maxLength: 25, size: 'max' },
  ),
});

/** An award that was not cut to nothing, and the places of the boosts that multiplied it. */
interface Given {
  readonly awarded: number;
  readonly total: number;
  readonly by: readonly number[];
}

/** What the specification says, in decimals: the product is written out digit by digit and rounded as text. */
function interpreted(
  { maxPoints, hourly, points: [each, perLength, perAchievement], boosts, actions }: Life,
  onNothing: () => void,
): Given[] {
  const given: Given[] = [];
  const all: (Drawn & { readonly ownUntil?: number })[] = [...boosts];
  let total = 0;
  let settled = 0;
  let recorded = 0;
  const move = (award: number, by: readonly number[]) => {
    const room = award < 0 ? total : Math.max(0, (maxPoints ?? Infinity) - total);
    const moved = Math.sign(award) * Math.min(Math.abs(award), room);
    total += moved;
    if (moved !== 0) given.push({ awarded: moved, total, by });
  };
  const fires = (nominal: number, hour: number) => {
    const by = all.flatMap(({ from, hours, ownUntil = Infinity }, place) =>
      nominal > 0 && from <= hour && (hours === null || hour < from + hours) && recorded < ownUntil ? [place] : [],
    );
    const boosted = by.length === 0 ? nominal : rounded(nominal, by);
    if (boosted === 0) onNothing();
    move(boosted, by);
  };
  const timesHundredths = (decimal: string, place: number): string => {
    const [whole = '0', fraction = ''] = decimal.split('.');
    const digits = String(BigInt(whole + fraction) * BigInt(all[place]!.hundredths)).padStart(fraction.length + 3, '0');
    return `${digits.slice(0, -(fraction.length + 2))}.${digits.slice(-(fraction.length + 2))}`;
  };
  const rounded = (nominal: number, by: readonly number[]): number => {
    const [whole = '0', fraction = ''] = by.reduce(timesHundredths, String(nominal)).split('.');
    const { rounding } = all[by[0]!]!;
    const up = rounding === 'up' ? /[1-9]/.test(fraction) : rounding === 'nearest' && fraction.charAt(0) >= '5';
    return Number(whole) + (up ? 1 : 0);
  };
  for (const { hour, does } of actions) {
    recorded = Math.max(recorded, hour);
    const at = isGivenAtOnce(does) ? recorded : hour;
    for (; settled < at; settled++) move(hourly, []);
    if (does.type === 'boost') all.push({ ...does.boost, from: at, ownUntil: at + does.boost.hours });
    if (does.type === 'grant') move(does.amount, []);
    if (does.type === 'earn') fires(does.value * each, at);
    if (does.type === 'extend' && does.length % 2 === 0) fires(perLength, at);
    if (does.type === 'complete') fires(perAchievement, at);
  }
  return given;
}

/** Only metric events are imported late. */
const isGivenAtOnce = ({ type }: Does): boolean => type === 'grant' || type === 'boost';

const boostsOf = ({ boosts }: Life): readonly BoostDefinition[] =>
  boosts.map(({ hundredths, rounding, from, hours }, place) =>
    boost(String(place), {
      multiplier: hundredths,
      rounding,
      start: hoursLater(from),
      end: hours === null ? null : hoursLater(from + hours),
    }),
  );

function applied(life: Life): Given[] {
  const [each, perLength, perAchievement] = life.points;
  const triggers: PointsTrigger[] = [
    onMetric('commits', 1, each),
    onStreak(2, perLength),
    onAchievement('first', perAchievement),
    every(1, 'hour', life.hourly),
  ];
  const story = storyOf(triggers, {
    boosts: boostsOf(life),
    ...(life.maxPoints !== null && { maxPoints: life.maxPoints }),
  });
  let recorded = 0;
  let given = 0;
  const places = new Map<string, number>();
  return life.actions.flatMap(({ hour, does }, index) => {
    recorded = Math.max(recorded, hour);
    if (does.type === 'boost') places.set(`e${index + 2}`, life.boosts.length + given++);
    const happens = happening(does, isGivenAtOnce(does) ? recorded : hour);
    const effects = story.when({ ...happens, recordedAt: hoursLater(recorded) });
    return effectsOfType(effects, 'PointsAwarded').map(({ awarded, total, boosts }) => ({
      awarded: Number(awarded),
      total: Number(total),
      by: (boosts ?? []).map(({ id, name }) => places.get(id) ?? Number(name)),
    }));
  });
}

function happening(does: Does, hour: number): StoryEvent {
  const at = hoursLater(hour);
  switch (does.type) {
    case 'earn':
      return reported(does.value * UNITS, at);
    case 'extend':
      return caused([{ type: 'StreakExtended', at, length: does.length, period: DAY }], { at });
    case 'complete':
      return caused([completed('first', at)], { at });
    case 'grant':
      return granted({ kind: 'points', system: 'xp', amount: BigInt(does.amount) }, at);
    case 'boost': {
      const { hundredths: multiplier, rounding, hours } = does.boost;
      const lasts = hours % 2 === 0 ? { minutes: hours * 60 } : { until: hoursLater(hour + hours) };
      return granted({ kind: 'boost', system: 'xp', name: 'Own', multiplier, rounding, lasts }, at);
    }
  }
}

const granted = (grant: Grant, at: Instant): StoryEvent => ({
  at,
  happened: { event: { type: 'GrantRecorded', subject: USER, grant, keyHash: null }, reported: null },
});

const OWN: Grant = {
  ...{ kind: 'boost', system: 'xp', name: 'Own', multiplier: 200, rounding: 'down', lasts: { minutes: 60 } },
};

describe('boosts', () => {
  it('multiply what a decimal interpreter multiplies, in any life', async () => {
    const seen = { one: 0, several: 0, toNothing: 0, cut: 0, unboosted: 0 };
    await assertCovering(
      fc.property(lives, (life) => {
        const given = applied(life);
        expect(given).toEqual(interpreted(life, () => seen.toNothing++));
        for (const { by, total } of given) {
          if (by.length === 0) seen.unboosted++;
          else seen[by.length === 1 ? 'one' : 'several']++;
          if (by.length > 0 && total === life.maxPoints) seen.cut++;
        }
      }),
      { numRuns: 400 },
      () => Object.fromEntries(Object.entries(seen).map(([what, times]) => [what, times > 20])),
    );
  });

  it('of the user are at most twenty at once, and further grants give none', () => {
    const story = storyOf([onMetric('commits', 1, 1)]);
    for (let nth = 0; nth < 22; nth++) story.when(granted(OWN, hoursLater(0)));
    expect(story.when(reported(UNITS, hoursLater(0)))).toMatchObject([{ awarded: 2 ** 20 }]);
    story.when(identified(hoursLater(1)));
    expect(story.when(reported(UNITS, hoursLater(1)))).toMatchObject([{ awarded: 1 }]);
    story.when(granted(OWN, hoursLater(1)));
    expect(story.when(reported(UNITS, hoursLater(1)))).toMatchObject([{ awarded: 2 }]);
  });

  it('of the user end as time awards fall due, once', () => {
    const story = storyOf([every(1, 'hour', 1)]).given(granted(OWN, hoursLater(0)));
    const due = story.when(identified(hoursLater(2)));
    expect(due.map((effect) => [effect.type, 'at' in effect && effect.at])).toEqual([
      ['BoostEnded', hoursLater(1)],
      ['PointsAwarded', hoursLater(1)],
      ['PointsAwarded', hoursLater(2)],
    ]);
    expect(due[0]).toMatchObject({ system: 'xp', boost: { id: 'e2', name: 'Own' }, due: true });
    expect(effectsOfType(story.when(identified(hoursLater(3))), 'BoostEnded')).toEqual([]);
  });

  it('of the user are due at the first end that is not recorded', () => {
    const plan = pointsRules.compile(configuration([pointsSystem('xp', [])]));
    const given = [2, 1, 3].map((hours) => [`${hours}`, 200, 0, hoursLater(0), hoursLater(hours), 'Own']);
    const stored = (endedTo: Instant, more = {}) => {
      const xp = ['xp', '0', hoursLater(0), [], null, '0', [], given, endedTo];
      return pointsRules.decode({ v: 1, createdAt: 0, zone: 'UTC', position: 1, systems: [xp], ...more }, plan);
    };
    const ends = [0, 1, 3].map((hours) => pointsRules.dueAt?.(stored(hours === 0 ? 0 : hoursLater(hours)), plan));
    expect(ends).toEqual([hoursLater(1), hoursLater(2), null]);
    expect(pointsRules.dueAt?.(stored(0, { erased: true }), plan)).toBeNull();
  });

  it('of the user do not multiply an import that is recorded after their end', () => {
    const story = storyOf([onMetric('commits', 1, 1)]).given(granted(OWN, hoursLater(0)));
    const late = reported(UNITS, hoursLater(0.5));
    expect(story.when({ ...late, recordedAt: hoursLater(0.9) })).toMatchObject([{ awarded: 2 }]);
    expect(story.when({ ...late, recordedAt: hoursLater(1) })).toMatchObject([{ awarded: 1 }]);
  });

  it('leave alone what a user gets for being created', () => {
    const story = storyOf([onCreation(10)], { boosts: [boost('double')] });
    expect(story.when(caused([{ type: 'UserCreated', at: hoursLater(0) }]))).toMatchObject([{ awarded: 10 }]);
  });
});
