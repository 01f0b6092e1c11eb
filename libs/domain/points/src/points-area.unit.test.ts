import { formatInstant } from '@laurel/calendar';
import { subjectOf } from '@laurel/testing/subjects';
import type { Configuration, PointsAnswer } from '@laurel/kernel';
import { applyMessage } from '@laurel/kernel/fixtures';
import {
  amount,
  at,
  awardsOf,
  configuration,
  DAY,
  every,
  type StoryEvent,
  HOUR,
  level,
  live,
  messageOf,
  onAchievement,
  onCreation,
  onMetric,
  onStreak,
  pointsSystem,
  span,
} from './points.fixture.ts';
import { pointsArea } from './points-area.ts';

const START = at('2024-03-01T12:00:00Z');
const commits = (value: number, more: Partial<StoryEvent> = {}): StoryEvent => ({
  at: START,
  metric: ['commits', value],
  ...more,
});

const one = (...triggers: Parameters<typeof pointsSystem>[1]) => configuration([pointsSystem('xp', triggers)]);
const last = (under: Configuration, happenings: readonly StoryEvent[]): PointsAnswer =>
  live(under, happenings).sections.at(-1)!;
const given = (answerPart: PointsAnswer) => answerPart.awards.map(({ awarded, total }) => [awarded, total]);

describe('a trigger with a window', () => {
  const between = { activeFrom: START, activeUntil: START + HOUR };
  const [before, after] = [{ at: START - 1 }, { at: START + HOUR }];

  it('gives nothing for the multiples that are reached outside, and goes on counting', () => {
    const three = one({ ...onMetric('commits', 3, 10), ...between });
    const life = live(three, [commits(4, before), commits(1), commits(1), commits(3, after), commits(0)]);
    expect(life.sections.map(given)).toEqual([[], [], [[10n, 10n]], [], []]);
    expect(life.sections.map(({ systems }) => systems.length)).toEqual([0, 0, 1, 0, 0]);
  });

  it('fires by streaks, completions and creation only inside', () => {
    const all = [onStreak(2, 5), onAchievement('first', 7), onCreation(9)].map((trigger) => ({
      ...trigger,
      ...between,
    }));
    const happens = { extendedTo: 4, completed: ['first'] };
    expect(given(last(one(...all), [commits(1, { ...happens, ...before })]))).toEqual([]);
    expect(given(last(one(...all), [commits(1, { ...happens, ...after })]))).toEqual([]);
    expect(given(last(one(...all), [commits(1, happens)])).map(([awarded]) => awarded)).toEqual([9n, 5n, 7n]);
  });
});

describe('a metric trigger', () => {
  const tenForThree = one(onMetric('commits', 3, 10));

  it('fires once for each whole multiple of the threshold that the sum reaches', () => {
    const life = live(tenForThree, [commits(2), commits(1), commits(2), commits(1)]);
    expect(life.sections.map(given)).toEqual([[], [[10n, 10n]], [], [[10n, 20n]]]);
  });

  it('gives one award for an event that reaches many multiples', () => {
    expect(given(last(tenForThree, [commits(10)]))).toEqual([[30n, 30n]]);
  });

  it('counts from the highest sum so far, so that values taken back must be made up first', () => {
    const life = live(tenForThree, [commits(3), commits(-3), commits(3), commits(2), commits(1)]);
    expect(life.sections.map(given)).toEqual([[[10n, 10n]], [], [], [], [[10n, 20n]]]);
  });

  it('counts multiples from 0, even if the sum was below', () => {
    const life = live(tenForThree, [commits(-6), commits(6), commits(2), commits(1)]);
    expect(life.sections.map(given)).toEqual([[], [], [], [[10n, 10n]]]);
  });

  it('ignores a value of 0, other metrics, and events without a metric', () => {
    const life = live(tenForThree, [commits(0), { at: START, metric: ['merges', 9] }, { at: START }]);
    expect(life.sections).toEqual([1, 2, 3].map(() => ({ awards: [], systems: [] })));
  });

  it('counts decimals exactly', () => {
    const life = live(one(onMetric('commits', 0.3, 1)), [commits(0.1), commits(0.2)]);
    expect(life.sections.map(given)).toEqual([[], [[1n, 1n]]]);
  });

  it('awards points beyond the precision of a double', () => {
    const huge = one(onMetric('commits', 0.000001, 1_000_000_000));
    expect(last(huge, [commits(1e9)]).systems[0]?.total).toBe(10n ** 24n);
  });

  it('sums only values recorded after its publication', () => {
    const second = configuration([pointsSystem('xp', [onMetric('commits', 3, 10), onMetric('commits', 4, 1)])], 2);
    const life = live(tenForThree, [commits(3), commits(3, { under: second }), commits(1, { under: second })]);
    expect(life.sections.map(given)).toEqual([[[10n, 10n]], [[10n, 20n]], [[1n, 21n]]]);
  });
});

describe('a streak trigger', () => {
  const weekly = one(onStreak(7, 50));

  it('fires when an extension reaches a multiple of its length', () => {
    const life = live(
      weekly,
      [6, 7, 8, 14].map((extendedTo) => commits(1, { extendedTo })),
    );
    expect(life.sections.map(given)).toEqual([[], [[50n, 50n]], [], [[50n, 100n]]]);
  });

  it('does not fire for an event that does not extend the streak', () => {
    expect(given(last(weekly, [commits(1)]))).toEqual([]);
  });
});

describe('an achievement trigger', () => {
  it('fires when its achievement is completed, by an API call as well', () => {
    const life = live(one(onAchievement('__proto__', 500)), [
      commits(1, { completed: ['other'] }),
      { at: START, completed: ['__proto__'] },
    ]);
    expect(life.sections.map(given)).toEqual([[], [[500n, 500n]]]);
  });
});

describe('a user_creation trigger', () => {
  it('fires once, for the event that creates the user, whatever its type', () => {
    const life = live(one(onCreation(100)), [{ at: START }, commits(1)]);
    expect(life.sections.map(given)).toEqual([[[100n, 100n]], []]);
  });

  it('awards nothing to users who existed before its publication', () => {
    const life = live(one(), [{ at: START }, commits(1, { under: one(onCreation(100)) })]);
    expect(awardsOf(life)).toEqual([]);
  });
});

describe('a time trigger', () => {
  it('awards points at creation + k × interval, each award dated at that instant', () => {
    const awards = awardsOf(live(one(every(4, 'hour', 1)), [{ at: START }, { at: START + 9 * HOUR }]));
    expect(awards.map(({ at: instant, awarded, due }) => [instant - START, awarded, due])).toEqual([
      [4 * HOUR, 1n, true],
      [8 * HOUR, 1n, true],
    ]);
  });

  it('counts a day as 24 hours, even when the clock changes', () => {
    const created = at('2024-03-30T11:00:00Z');
    const awards = awardsOf(
      live(one(every(1, 'day', 1)), [
        { at: created, zone: 'Europe/Berlin' },
        { at: created + 2 * DAY, zone: 'Europe/Berlin' },
      ]),
    );
    expect(awards.map((award) => award.at)).toEqual([created + DAY, created + 2 * DAY]);
  });

  it('applies an award due at the instant of an event before the event itself', () => {
    const system = pointsSystem('energy', [every(1, 'hour', 1), onMetric('commits', 1, -5)]);
    const { awards, systems } = last(configuration([system]), [{ at: START }, commits(1, { at: START + HOUR })]);
    expect(awards.map(({ awarded, due }) => [awarded, due])).toEqual([
      [1n, true],
      [-1n, false],
    ]);
    expect(systems).toEqual([{ key: 'energy', total: 0n, added: -1n }]);
  });

  it('dates an award in the zone in force at its instant, not the one that the next event sets', () => {
    const { awards } = last(one(every(1, 'day', 1), onMetric('commits', 1, 10)), [
      { at: at('2024-03-01T23:00:00Z'), zone: 'UTC' },
      commits(1, { at: at('2024-03-02T23:30:00Z'), zone: 'Asia/Tokyo' }),
    ]);
    expect(awards.map(({ date, awarded }) => [date, awarded])).toEqual([
      ['2024-03-02', 1n],
      ['2024-03-03', 10n],
    ]);
  });

  it('awards nothing for a late import, and nothing twice after it', () => {
    const life = live(one(every(1, 'hour', 1)), [
      { at: START },
      { at: START + 3 * HOUR, swept: true },
      commits(1, { at: START + HOUR }),
      { at: START + 4 * HOUR, swept: true },
    ]);
    expect(life.sections.map(({ awards }) => awards.length)).toEqual([0, 3, 0, 1]);
  });

  it('does not make its points system appear in the answer to an event', () => {
    expect(last(one(every(1, 'hour', 1)), [{ at: START }, commits(1, { at: START + DAY })]).systems).toEqual([]);
  });

  it('awards nothing outside its validity period', () => {
    const trigger = every(1, 'hour', 1);
    const span13 = span(trigger, null, START + 2 * HOUR, START + 4 * HOUR);
    const system = pointsSystem('xp', [], { validityPeriods: [span13] });
    const awards = awardsOf(live(configuration([system]), [{ at: START }, { at: START + DAY }]));
    expect(awards.map((award) => (award.at - START) / HOUR)).toEqual([2, 3]);
  });

  it('is limited by the cap in force at the instant of each award', () => {
    const trigger = every(1, 'hour', 10);
    const validityPeriods = [span(trigger, 15n, -Infinity, START + 3 * HOUR), span(trigger, 100n, START + 3 * HOUR)];
    const system = pointsSystem('xp', [trigger], { maxPoints: 100, validityPeriods });
    const awards = awardsOf(live(configuration([system]), [{ at: START }, { at: START + 4 * HOUR }]));
    expect(awards.map(({ total }) => total)).toEqual([10n, 15n, 25n, 35n]);
  });

  it('applies awards due at the same instant in configuration order, whichever was published first', () => {
    const [first, second] = [every(1, 'hour', 3), every(1, 'hour', 2)];
    const validityPeriods = [span(second, 10n), span(first, 10n, START)];
    const system = pointsSystem('xp', [first, second], { maxPoints: 10, validityPeriods });
    const awards = awardsOf(live(configuration([system]), [{ at: START }, { at: START + 2 * HOUR }]));
    expect(awards.map(({ awarded }) => awarded)).toEqual([3n, 2n, 3n, 2n]);
  });

  it('awards what fell due before its points system was removed, even after the system returns', () => {
    const trigger = every(1, 'hour', 1);
    const back = pointsSystem('xp', [trigger], {
      validityPeriods: [span(trigger, null, -Infinity, START + 2 * HOUR), span(trigger, null, START + 10 * HOUR)],
    });
    const life = live(one(trigger), [
      { at: START },
      { at: START + 5 * HOUR, under: configuration([], 2) },
      { at: START + 10 * HOUR, under: configuration([back], 3) },
    ]);
    expect(awardsOf(life).map((award) => (award.at - START) / HOUR)).toEqual([1, 10]);
  });

  it('awards nothing over 100 years while the user stays at the cap', () => {
    const system = pointsSystem('energy', [onCreation(20), every(1, 'hour', 1)], { maxPoints: 20 });
    const century = { at: START + 36_525 * DAY };
    const life = live(configuration([system]), [{ at: START }, century]);
    expect(awardsOf(life)).toHaveLength(1);
  });
});

describe('the awards of one event', () => {
  it('are ordered by trigger type: time (by instant), creation, metric, streak, achievement; then as configured', () => {
    const triggers = (system: string) => [
      onAchievement('first', 1),
      onStreak(7, 2),
      onMetric('commits', 2, 3, `${system} two`),
      onMetric('commits', 1, 4, `${system} one`),
      onCreation(5, system),
      every(6, 'hour', 6),
      every(4, 'hour', 7),
    ];
    const under = configuration([pointsSystem('b', triggers('b')), pointsSystem('a', triggers('a'))]);
    const everything = commits(2, { extendedTo: 7, completed: ['first'] });
    const created = live(under, [everything]).sections[0]!.awards;
    expect(created.map(({ system, awarded }) => `${system}${awarded}`)).toEqual([
      'b5',
      'a5',
      'b3',
      'b8',
      'a3',
      'a8',
      'b2',
      'a2',
      'b1',
      'a1',
    ]);
    const later = last(under, [{ at: START }, { ...everything, at: START + 12 * HOUR }]).awards;
    expect(later.map(({ system, awarded }) => `${system}${awarded}`)).toEqual([
      'b7',
      'a7',
      'b6',
      'a6',
      'b7',
      'a7',
      'b6',
      'b7',
      'a6',
      'a7',
      'b3',
      'b8',
      'a3',
      'a8',
      'b2',
      'a2',
      'b1',
      'a1',
    ]);
  });

  it('are stored in one row, in the order in which they were given', () => {
    const under = one(onCreation(5), onMetric('commits', 1, 4));
    const { rows } = live(under, [commits(1), commits(1)]);
    expect(rows.map((row) => [row['position'], row['points'], row['systems']])).toEqual([
      [1, '[[1,5,5],[2,4,9]]', '1'],
      [2, '[[2,4,13]]', '1'],
    ]);
  });
});

describe('the cap of a points system', () => {
  it('reduces an award to the remaining room', () => {
    const system = pointsSystem('xp', [onMetric('commits', 1, 10)], { maxPoints: 15 });
    const life = live(configuration([system]), [commits(1), commits(1)]);
    expect(life.sections.map(given)).toEqual([[[10n, 10n]], [[5n, 15n]]]);
  });

  it('drops an award of which nothing remains, but the answer still names the system', () => {
    const system = pointsSystem('energy', [onMetric('commits', 1, -5)]);
    expect(last(configuration([system]), [commits(1)])).toEqual({
      awards: [],
      systems: [{ key: 'energy', total: 0n, added: 0n }],
    });
  });

  it('removes no points when it is lowered below a total', () => {
    const capped = configuration([pointsSystem('xp', [onMetric('commits', 1, 10)], { maxPoints: 15 })], 2);
    const life = live(one(onMetric('commits', 1, 10)), [commits(3), commits(1, { under: capped })]);
    expect(life.sections[1]).toEqual({ awards: [], systems: [{ key: 'xp', total: 30n, added: 0n }] });
  });
});

describe('the level in an answer', () => {
  const levels = [level('novice', 5), level('adept', 10)];
  const system = pointsSystem('xp', [every(1, 'hour', 5), onMetric('commits', 1, 1), onMetric('undo', 1, -6)], {
    levels,
  });
  const under = configuration([system]);

  it('appears only if the event changed it', () => {
    const life = live(under, [commits(4), commits(1), commits(1)]);
    expect(life.sections.map(({ systems }) => systems[0])).toEqual([
      { key: 'xp', total: 4n, added: 4n },
      { key: 'xp', total: 5n, added: 1n, level: 'novice' },
      { key: 'xp', total: 6n, added: 1n },
    ]);
  });

  it('excludes the effect of due time awards, as `added` does', () => {
    const answerPart = last(under, [{ at: START }, commits(1, { at: START + HOUR })]);
    expect(answerPart.systems).toEqual([{ key: 'xp', total: 6n, added: 1n }]);
  });

  it('is null if the event took the user below all levels', () => {
    const answerPart = last(under, [commits(5), { at: START, metric: ['undo', 1] }]);
    expect(answerPart.systems).toEqual([{ key: 'xp', total: 0n, added: -5n, level: null }]);
  });
});

describe('the stored level of a user', () => {
  const of = (...points: readonly number[]) =>
    configuration([
      pointsSystem('xp', [every(1, 'hour', 5), onMetric('commits', 1, 1), onMetric('undo', 1, -6)], {
        levels: points.map((needed) => level(`from-${needed}`, needed)),
      }),
    ]);
  const row = (position: number, key: string | null, at: number) => ({
    subject: 7,
    system: 1,
    level: key,
    reached_at: formatInstant(at),
    position,
  });

  it('changes when the user reaches a level, and when they fall below it', () => {
    const life = live(of(5, 10), [commits(4), commits(2), commits(1), { at: START, metric: ['undo', 1] }]);
    expect(life.levels).toEqual([row(2, 'from-5', START), row(4, null, START)]);
  });

  it('is dated by the award that reached it, which may have fallen due before the event', () => {
    const life = live(of(5, 12), [{ at: START }, commits(1, { at: START + 4 * HOUR })]);
    expect(life.levels).toEqual([row(2, 'from-12', START + 3 * HOUR)]);
  });

  it("follows a publication at the user's next event, even one without an award", () => {
    const under = of(3);
    const later = START + HOUR / 2;
    const life = live(of(5), [commits(4), { at: later, under }, { at: later, under }, { at: later, under: of(100) }]);
    expect(life.levels).toEqual([row(2, 'from-3', later), row(4, null, later)]);
  });

  it('is reached again if due awards led away from it and back, with or without a sweep in between', () => {
    const under = configuration([
      pointsSystem('xp', [every(2, 'hour', -3), every(3, 'hour', 4), onCreation(6)], { levels: [level('from-5', 5)] }),
    ]);
    const [left, back] = [START + 2 * HOUR, START + 3 * HOUR];
    const unseen = live(under, [{ at: START }, { at: back }]);
    expect(unseen.levels).toEqual([row(1, 'from-5', START), row(2, 'from-5', back)]);
    const seen = live(under, [{ at: START }, { at: left, swept: true }, { at: back }]);
    expect(seen.levels).toEqual([row(1, 'from-5', START), row(2, null, left), row(3, 'from-5', back)]);
  });

  it('is reached again by an event that restores points taken by due awards', () => {
    const under = configuration([
      pointsSystem('xp', [every(2, 'hour', -3), onMetric('commits', 1, 3), onCreation(6)], {
        levels: [level('from-5', 5)],
      }),
    ]);
    const later = START + 3 * HOUR;
    const { levels } = live(under, [{ at: START }, commits(1, { at: later }), commits(0, { at: later })]);
    expect(levels).toEqual([row(1, 'from-5', START), row(2, 'from-5', later)]);
  });

  it('is not reached again by an event that takes points and restores them', () => {
    const under = configuration([
      pointsSystem('xp', [onMetric('commits', 1, -3), onMetric('commits', 1, 3, 'back'), onCreation(6)], {
        levels: [level('from-5', 5)],
      }),
    ]);
    const { levels } = live(under, [{ at: START }, commits(1, { at: START + HOUR })]);
    expect(levels).toEqual([row(1, 'from-5', START)]);
  });

  it('stays where it is when points are taken if levels follow what was earned', () => {
    const taking = [onMetric('commits', 1, 1), onMetric('undo', 1, -1)];
    const under = configuration([pointsSystem('xp', taking, { levelsBy: 'earned', levels: [level('from-5', 5)] })]);
    const undo = { at: START, metric: ['undo', 4] } as const;
    const life = live(under, [{ at: START }, commits(4), undo, commits(1), undo]);
    expect(life.levels).toEqual([row(4, 'from-5', START)]);
    expect(life.sections[3]?.systems).toEqual([{ key: 'xp', total: 1n, added: 1n, level: 'from-5' }]);
  });

  it('is reached with the due award that earned it', () => {
    const under = configuration([
      pointsSystem('xp', [every(2, 'hour', -3), every(3, 'hour', 4)], {
        levelsBy: 'earned',
        levels: [level('from-8', 8)],
      }),
    ]);
    const { levels } = live(under, [{ at: START }, { at: START + 10 * HOUR, swept: true }]);
    expect(levels).toEqual([row(2, 'from-8', START + 6 * HOUR)]);
  });

  it('follows the other number with the first event after a publication', () => {
    const taking = [onMetric('commits', 1, 1), onMetric('undo', 1, -1)];
    const [byTotal, byEarned] = (['total', 'earned'] as const).map((levelsBy) =>
      configuration([pointsSystem('xp', taking, { levelsBy, levels: [level('from-5', 5)] })]),
    );
    const undo = { at: START, metric: ['undo', 4] } as const;
    const { levels } = live(byTotal!, [commits(6), undo, { at: START, under: byEarned! }]);
    expect(levels).toEqual([row(1, 'from-5', START), row(2, null, START), row(3, 'from-5', START)]);
  });

  it('has no row until the user reaches a level', () => {
    expect(live(of(5), [commits(4), commits(0)]).levels).toEqual([]);
    expect(live(of(), [commits(4)]).levels).toEqual([]);
  });
});

describe('the answer to an event', () => {
  it('lists the systems in which a trigger fired, in configuration order, with the sum of their awards', () => {
    const under = configuration([
      pointsSystem('b', [onMetric('commits', 1, 3, 'b1'), onMetric('commits', 2, 4, 'b2')]),
      pointsSystem('idle', [onMetric('merges', 1, 1)]),
      pointsSystem('__proto__', [onMetric('commits', 1, 5, 'p')]),
    ]);
    expect(last(under, [commits(2)]).systems).toEqual([
      { key: 'b', total: 10n, added: 10n },
      { key: '__proto__', total: 10n, added: 10n },
    ]);
  });
});

describe('the id of an award', () => {
  it('does not depend on the order of triggers in the configuration', () => {
    const triggers = [every(1, 'hour', 1), onCreation(1), onMetric('commits', 1, 1)];
    const happenings = [commits(1), commits(1, { at: START + 3 * HOUR })];
    const ids = (under: Configuration) => awardsOf(live(under, happenings)).map(({ id }) => id);
    expect(ids(one(...triggers.toReversed())).sort()).toEqual(ids(one(...triggers)).sort());
  });

  it('differs between systems and events, and is null for a due award', () => {
    const under = configuration([
      pointsSystem('a', [every(1, 'hour', 1), onMetric('commits', 1, 1, 'a')]),
      pointsSystem('b', [every(1, 'hour', 1), onMetric('commits', 1, 1, 'b')]),
    ]);
    const happenings = [commits(1), commits(1, { at: START + 3 * HOUR })];
    const awards = awardsOf(live(under, happenings));
    expect(awards.filter(({ due, id }) => due && id === null)).toHaveLength(6);
    expect(new Set(awards.flatMap(({ due, id }) => (due ? [] : id))).size).toBe(4);
  });

  it('never changes for an award of the event itself', () => {
    const [due, fired] = awardsOf(
      live(one(every(1, 'day', 1), onMetric('commits', 1, 1)), [
        { at: START },
        commits(1, { at: START + DAY, eventId: '0b2f6f8e-3a63-4d7e-9df8-6f0e3c1f5a11' }),
      ]),
    );
    expect([due!.id, fired!.id]).toEqual([null, 'ac880534-fd5d-50ba-8c59-0a8f986b42e1']);
  });
});

describe('the answer to a replayed request', () => {
  it('shows the systems with a trigger on the metric at that instant, including due awards', () => {
    const systems = [
      pointsSystem('xp', [every(1, 'hour', 2), onMetric('commits', 1, 10)], { levels: [level('novice', 5)] }),
      pointsSystem('other', [onMetric('merges', 1, 1)]),
    ];
    const { state } = live(configuration(systems), [commits(1)]);
    const request = {
      account: 'default',
      subject: subjectOf('u'),
      at: START + 2 * HOUR,
      metric: 'commits',
      originalDate: '2024-03-01',
    };
    expect(pointsArea.view(state, request, configuration(systems))).toEqual({
      awards: [],
      systems: [{ key: 'xp', total: 14n, added: 0n }],
    });
  });
});

describe('the state of points', () => {
  it('is decoded unchanged for a user without events', () => {
    expect(pointsArea.decode(JSON.parse(JSON.stringify(pointsArea.encode(pointsArea.initial()))))).toEqual(
      pointsArea.initial(),
    );
  });

  it('is refused if its form is unknown', () => {
    expect(() => pointsArea.decode({ v: 2 })).toThrow('unknown form');
  });
});

describe('the points area', () => {
  it('refuses a message that an earlier area has not applied', () => {
    const circumstances = {
      created: true,
      createdAt: START,
      zone: 'UTC',
      previousZone: 'UTC',
      position: 7,
      subject: subjectOf('u'),
    };
    const whole = messageOf({ at: START, metric: ['commits', Number(amount(0))] }, circumstances);
    const message = { ...whole, areas: whole.areas.filter((area) => area !== 'streaks') };
    expect(() => applyMessage(pointsArea, pointsArea.initial(), message, one())).toThrow(
      'points needs streaks, which has not applied the record at position 7',
    );
  });
});
