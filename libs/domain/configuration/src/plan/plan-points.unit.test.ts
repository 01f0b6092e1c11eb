import { parseDocument } from '../document/parse-document.ts';
import { planPublication } from './plan-publication.ts';

const BASE = `version: 1
metrics: [{ key: runs, name: Runs }, { key: km, name: Kilometres }]
achievements: [{ key: one, name: One, trigger: { type: api } }, { key: two, name: Two, trigger: { type: api } }]
points:`;

function parsed(points: string) {
  const { document, problems } = parseDocument(`${BASE} [${points}]`, 'app.yaml');
  if (document === undefined) throw new Error(JSON.stringify(problems));
  return document;
}

/** What the last of these lists of points systems changes after all before it. */
function changesOf(...points: readonly string[]): readonly string[] {
  const publications = points
    .slice(0, -1)
    .map((text, index) => ({ version: index + 1, document: parsed(text), publishedAt: 0 }));
  const { changes } = planPublication({ publications, holdsEvents: true }, parsed(points.at(-1) ?? ''));
  return changes.map(({ kind, path, effect }) => `${kind} ${path}: ${effect}`);
}

const system = (fields: string) => `{ key: xp, name: XP, ${fields} }`;
const triggers = (...all: readonly string[]) => system(`triggers: [${all.join(', ')}]`);
const JANUARY = 'start: 2026-01-01T00:00:00Z, end: 2026-02-01T00:00:00Z';
const BOOSTS: Readonly<Record<string, string>> = {
  a: `{ key: a, name: A, multiplier: 1.5, ${JANUARY} }`,
  b: `{ key: b, name: B, multiplier: 3, ${JANUARY} }`,
  stronger: `{ key: a, name: A, multiplier: 2, ${JANUARY} }`,
  rounded: `{ key: a, name: A, multiplier: 1.5, rounding: nearest, ${JANUARY} }`,
  later: '{ key: a, name: A, multiplier: 1.5, start: 2026-01-02T00:00:00Z, end: 2026-02-01T00:00:00Z }',
  endless: '{ key: a, name: A, multiplier: 1.5, start: 2026-01-01T00:00:00Z }',
  renamed: `{ key: a, name: B, multiplier: 1.5, ${JANUARY} }`,
};
const only = (text: string) => [expect.stringContaining(text)];

describe('the plan of a points system', () => {
  it('shows a new system and each of its triggers', () => {
    const after = triggers('{ type: user_creation, points: 5 }', '{ key: t, type: streak, length: 7, points: 1 }');
    expect(changesOf('', after)).toEqual([
      'added points.xp: Everyone begins at 0.',
      expect.stringContaining(
        'added points.xp.triggers["5 at creation"]: It fires for users created after publication',
      ),
      expect.stringContaining(
        'added points.xp.triggers.t: It fires when a user next extends their streak to a multiple of 7',
      ),
    ]);
  });

  it('states that totals are kept on removal and continue when the system returns', () => {
    expect(changesOf(triggers(), '')).toEqual(
      only('removed points.xp: From publication, it gives nothing. Laurel keeps totals'),
    );
    expect(changesOf(triggers(), '', triggers())).toEqual(only("It was in version 1. Everyone's total continues"));
  });

  it.each([
    ['a new maximum', 'maxPoints: null', 'maxPoints: 10', 'Nobody loses points. Users who have more than 10 keep them'],
    [
      'a lowered maximum',
      'maxPoints: 20',
      'maxPoints: 10',
      'Nobody loses points. Users who have more than 10 keep them',
    ],
    ['a raised maximum', 'maxPoints: 20', 'maxPoints: 30', 'From publication, totals can grow further'],
    ['a removed maximum', 'maxPoints: 20', 'maxPoints: null', 'From publication, totals can grow further'],
    [
      'another badge',
      'badgeUrl: null',
      'badgeUrl: https://x.example/b.png',
      'changed points.xp.badgeUrl: From publication, answers show',
    ],
    [
      'levels that follow what was earned',
      'levelsBy: total',
      'levelsBy: earned',
      'changed points.xp.levelsBy: Levels follow all the points that users have earned, also before the publication.',
    ],
    [
      'levels that follow the total again',
      'levelsBy: earned',
      'levelsBy: total',
      'changed points.xp.levelsBy: Levels follow totals. Users from whom points were taken may fall back.',
    ],
    [
      'a new cap',
      'caps: []',
      'caps: [{ per: day, points: 9 }]',
      'added points.xp.caps.day: From publication, its triggers of types metric, streak and achievement give each user at most 9 points in a day. It counts what they give while it is in force.',
    ],
    [
      'a changed cap',
      'caps: [{ per: day, points: 9 }]',
      'caps: [{ per: day, points: 5 }]',
      'changed points.xp.caps.day.points: From publication, its triggers of types metric, streak and achievement give each user at most 5 points in a day. What they have given in the present day counts.',
    ],
    [
      'a removed cap',
      'caps: [{ per: week, points: 9 }]',
      'caps: []',
      'removed points.xp.caps.week: From publication, it no longer cuts awards.',
    ],
  ])('describes %s', (_, before, after, effect) => {
    expect(changesOf(system(`triggers: [], ${before}`), system(`triggers: [], ${after}`))).toEqual(only(effect));
  });

  it.each([
    [
      'a new level',
      '',
      '{ key: a, name: A, points: 5 }',
      'added points.xp.levels.a: Users reach it with a total of 5.',
    ],
    ['a removed level', '{ key: a, name: A, points: 5 }', '', 'removed points.xp.levels.a: Users at this level move'],
    [
      'a level with other points',
      '{ key: a, name: A, points: 5 }',
      '{ key: a, name: A, points: 6 }',
      "changed points.xp.levels.a.points: Users reach it with a total of 6. Reads show this at once; no event's",
    ],
  ])('shows %s', (_, before, after, effect) => {
    const levels = (all: string) => system(`triggers: [], levels: [${all}]`);
    expect(changesOf(levels(before), levels(after))).toEqual(only(effect));
  });

  it('counts a new level of a system whose levels follow what was earned in points earned', () => {
    const levels = (all: string) => system(`triggers: [], levelsBy: earned, levels: [${all}]`);
    expect(changesOf(levels(''), levels('{ key: a, name: A, points: 5 }'))).toEqual(
      only('added points.xp.levels.a: Users reach it once they have earned 5.'),
    );
    expect(changesOf(system('triggers: []'), system('levelsBy: total, triggers: []'))).toEqual([]);
  });

  it('does not mind the order of caps', () => {
    const [day, week] = ['{ per: day, points: 5 }', '{ per: week, points: 9 }'];
    const caps = (...all: readonly string[]) => system(`triggers: [], caps: [${all.join(', ')}]`);
    expect(changesOf(caps(day, week), caps(week, day))).toEqual([]);
  });

  it.each([
    [
      'a new boost',
      '',
      'a',
      'added points.xp.boosts.a: It multiplies what metrics, streaks and achievements give by 1.5, from 2026-01-01T00:00:00.000Z until 2026-02-01T00:00:00.000Z.',
    ],
    ['a removed boost', 'a', '', 'removed points.xp.boosts.a: It ends at publication. Recorded awards stay.'],
    [
      'another multiplier',
      'a',
      'stronger',
      'changed points.xp.boosts.a.multiplier: From publication, it multiplies by 2. Recorded awards stay.',
    ],
    [
      'another rounding',
      'a',
      'rounded',
      'changed points.xp.boosts.a.rounding: From publication, it rounds to the nearest whole number.',
    ],
    ['another start', 'a', 'later', 'changed points.xp.boosts.a.start: It applies from 2026-01-02T00:00:00.000Z.'],
    ['another end', 'a', 'endless', 'changed points.xp.boosts.a.end: It applies without an end.'],
    ['another name', 'a', 'renamed', 'changed points.xp.boosts.a.name: From publication, answers show the new value'],
    [
      'another order',
      'a, b',
      'b, a',
      'changed points.xp.boosts: If several boosts apply to an award, the first one in the new order decides',
    ],
  ])('describes %s', (_, before, after, effect) => {
    const boosts = (listed: string) =>
      system(`triggers: [], boosts: [${listed.replaceAll(/\w+/g, (key) => BOOSTS[key] ?? '')}]`);
    expect(changesOf(boosts(before), boosts(after))).toEqual(only(effect));
  });

  it('shows a changed order of systems', () => {
    const other = '{ key: hp, name: HP, triggers: [] }';
    expect(changesOf(`${triggers()}, ${other}`, `${other}, ${triggers()}`)).toEqual(
      only('changed points: Answers list'),
    );
  });
});

describe('the plan of triggers without a key', () => {
  it('takes a trigger for the same one when only its window changes, unless it is a time trigger', () => {
    const streak = (window: string) => triggers(`{ type: streak, length: 7, points: 2${window} }`);
    const [from, until] = [', activeFrom: 2026-03-01T00:00:00Z', ', activeUntil: 2026-04-01T00:00:00Z'];
    const path = 'changed points.xp.triggers["2 for every 7 periods of a streak"]';
    expect(changesOf(streak(''), streak(from))).toEqual(
      only(`${path}.activeFrom: From publication, it fires only from 2026-03-01T00:00:00.000Z on.`),
    );
    expect(changesOf(streak(from), streak(''))).toEqual(
      only(`${path}.activeFrom: From publication, it has no beginning`),
    );
    expect(changesOf(streak(''), streak(until))).toEqual(
      only(`${path}.activeUntil: From publication, it fires only before 2026-04-01T00:00:00.000Z.`),
    );
    expect(changesOf(streak(until), streak(''))).toEqual(only(`${path}.activeUntil: From publication, it has no end.`));
    const time = (window: string) => triggers(`{ type: time, unit: day, interval: 1, points: 2${window} }`);
    expect(changesOf(time(''), time(from))).toHaveLength(2);
    expect(changesOf(time(''), time(until))).toEqual(
      only('changed points.xp.triggers["2 every day"].activeUntil: It gives only what falls due before 2026-04-01'),
    );
    expect(changesOf(time(until), time(''))).toEqual(
      only('activeUntil: From publication, it has no end. It gives nothing'),
    );
  });

  it('says when a new trigger is active', () => {
    const window = 'activeFrom: 2026-03-01T00:00:00Z, activeUntil: 2026-04-01T00:00:00Z';
    expect(changesOf(triggers(), triggers(`{ type: streak, length: 7, points: 2, ${window} }`))).toEqual(
      only('It is active only from 2026-03-01T00:00:00.000Z on and before 2026-04-01T00:00:00.000Z.'),
    );
  });

  it('takes a trigger for the same one when only its cap changes', () => {
    const capped = (cap: string) => triggers(`{ type: streak, length: 7, points: 2, cap: ${cap} }`);
    const path = 'changed points.xp.triggers["2 for every 7 periods of a streak"].cap:';
    expect(changesOf(capped('null'), capped('{ per: day, points: 5 }'))).toEqual(
      only(`${path} From publication, it gives each user at most 5 points in a day. It counts what the trigger gives`),
    );
    expect(changesOf(capped('{ per: day, points: 9 }'), capped('{ per: day, points: 5 }'))).toEqual(
      only(`${path} From publication, it gives each user at most 5 points in a day. What it has given in the present`),
    );
    expect(changesOf(capped('{ per: day, points: 9 }'), capped('null'))).toEqual(
      only(`${path} From publication, it gives without a cap of its own.`),
    );
  });

  it('is empty if triggers differ only in how a number is written', () => {
    const metric = (threshold: string) => triggers(`{ type: metric, metric: km, threshold: ${threshold}, points: 2 }`);
    expect(changesOf(metric('3'), metric('3.0'))).toEqual([]);
  });

  it('shows a changed threshold as one trigger removed and another one added', () => {
    const metric = (threshold: number) => triggers(`{ type: metric, metric: km, threshold: ${threshold}, points: 2 }`);
    expect(changesOf(metric(3), metric(4))).toEqual([
      expect.stringContaining(
        'added points.xp.triggers["2 for every 4 km"]: It counts values of km recorded after publication',
      ),
      expect.stringContaining(
        'removed points.xp.triggers["2 for every 3 km"]: From publication, it gives nothing; what it has',
      ),
    ]);
  });

  it('shows a trigger that gets a key as one removed and another one added', () => {
    const creation = 'type: user_creation, points: 5';
    expect(changesOf(triggers(`{ ${creation} }`), triggers(`{ key: start, ${creation} }`))).toEqual([
      expect.stringContaining('added points.xp.triggers.start'),
      expect.stringContaining('removed points.xp.triggers["5 at creation"]'),
    ]);
  });

  it('describes each trigger type in its own words', () => {
    const all = [
      '{ type: metric, metric: km, threshold: 0.5, points: -1 }',
      '{ type: streak, length: 7, points: 50 }',
      '{ type: achievement, achievement: one, points: 9 }',
      '{ type: user_creation, points: 5 }',
      '{ type: time, unit: hour, interval: 1, points: 1 }',
      '{ type: time, unit: day, interval: 2, points: 1, activeFrom: 2027-01-01T00:00:00Z }',
    ];
    const effects = changesOf(triggers(), triggers(...all)).map((change) =>
      change.replace('added points.xp.triggers', ''),
    );
    expect(effects).toEqual([
      expect.stringContaining('["-1 for every 0.5 km"]: It counts values of km recorded after publication'),
      expect.stringContaining('["50 for every 7 periods of a streak"]: It fires when a user next extends their streak'),
      expect.stringContaining('["9 for the achievement one"]: It fires for users who complete one after publication'),
      expect.stringContaining(
        '["5 at creation"]: It fires for users created after publication; existing users get nothing',
      ),
      expect.stringContaining(
        '["1 every hour"]: It falls due every hour, counted from each user\'s creation. It gives nothing for the time before publication.',
      ),
      expect.stringContaining('["1 every 2 days from 2027-01-01T00:00:00.000Z"]: It falls due every 2 days'),
    ]);
    for (const [index, trigger] of all.entries())
      if (trigger.includes('time'))
        expect(changesOf(triggers(trigger), triggers())[0]).toContain(
          'What fell due before publication is still given',
        );
      else expect(effects[index]).not.toContain('due');
  });

  it('shows a changed order, which decides which award the maximum reduces', () => {
    const [a, b] = ['{ type: user_creation, points: 5 }', '{ key: t, type: user_creation, points: -1 }'];
    expect(changesOf(triggers(a, b), triggers(b, a))).toEqual(
      only('changed points.xp.triggers: Within one event, triggers of one type'),
    );
  });
});

describe('the plan of triggers with a key', () => {
  const keyed = (fields: string) => triggers(`{ key: t, ${fields} }`);
  const time = (fields: string) => `type: time, unit: hour, interval: 4, points: 1${fields}`;

  it.each([
    [
      'threshold',
      'type: metric, metric: km, threshold: 3, points: 2',
      'type: metric, metric: km, threshold: 4, points: 2',
      'It keeps what it has counted and fires at the next multiple of 4 above that',
    ],
    [
      'metric',
      'type: metric, metric: km, threshold: 3, points: 2',
      'type: metric, metric: runs, threshold: 3, points: 2',
      'It keeps what it has counted of km and, from publication, adds values of runs',
    ],
    [
      'points',
      'type: user_creation, points: 5',
      'type: user_creation, points: 6',
      'From publication, it gives 6 each time. What it has given stays.',
    ],
    ['length', 'type: streak, length: 7, points: 2', 'type: streak, length: 8, points: 2', 'a multiple of 8'],
    [
      'achievement',
      'type: achievement, achievement: one, points: 2',
      'type: achievement, achievement: two, points: 2',
      'for users who complete two after publication, not for those who already have',
    ],
    ['interval', time(''), 'type: time, unit: hour, interval: 5, points: 1', 'due at the new interval'],
    ['unit', time(''), 'type: time, unit: day, interval: 4, points: 1', 'due at the new interval'],
    [
      'activeFrom',
      time(''),
      time(', activeFrom: 2027-01-01T00:00:00Z'),
      'only what falls due from 2027-01-01T00:00:00.000Z on',
    ],
    [
      'activeFrom',
      time(', activeFrom: 2027-01-01T00:00:00Z'),
      time(''),
      'From publication, it gives everything that falls due',
    ],
  ])('shows a changed %s as a change', (field, before, after, effect) => {
    const changes = changesOf(keyed(before), keyed(after));
    expect(changes).toEqual(only(`changed points.xp.triggers.t.${field}: `));
    expect(changes).toEqual(only(effect));
  });

  it('shows a changed type as a change of the whole trigger', () => {
    expect(changesOf(keyed('type: streak, length: 7, points: 2'), keyed('type: user_creation, points: 2'))).toEqual(
      only('changed points.xp.triggers.t: What it has given stays. It fires for users created after publication'),
    );
  });
});
