import { acceptsAndRefuses, pointsTrigger, pointsField, level, boost } from './document-fields.test-data.ts';

const NEW_YEAR = 'start: 2026-01-01T00:00:00Z';
const MULTIPLIER = 'points[0].boosts[0].multiplier';
const incomplete = (fields: string) => pointsField(`boosts: [«{ key: a, name: A, ${fields} }]`);

acceptsAndRefuses('the points systems of a document', {
  accepted: [
    ['maxPoints', pointsField('maxPoints: 1')],
    [
      'points trigger metric',
      pointsTrigger('{ key: k, type: metric, metric: reads, threshold: 0.25, points: -1000000000 }'),
    ],
    ['points trigger streak', pointsTrigger('{ type: streak, length: 1, points: 1000000000 }')],
    ['points trigger achievement', pointsTrigger('{ type: achievement, achievement: first, points: 1 }')],
    ['points trigger user_creation', pointsTrigger('{ type: user_creation, points: 1 }')],
    [
      'points trigger time by the hour',
      pointsTrigger('{ type: time, unit: hour, interval: 8760, points: 1, activeFrom: 2026-01-31T12:00:00.250Z }'),
    ],
    ['points trigger time by the day', pointsTrigger('{ type: time, unit: day, interval: 1, points: 1 }')],
    [
      'two triggers of equal content, one with a key',
      pointsTrigger('{ type: user_creation, points: 1 }, { key: k, type: user_creation, points: 1 }'),
    ],
    ['levelsBy total', pointsField('levelsBy: total')],
    ['levelsBy earned', pointsField('levelsBy: earned')],
    [
      'a cap for each period',
      pointsField('caps: [{ per: day, points: 1 }, { per: week, points: 2 }, { per: month, points: 1000000000 }]'),
    ],
    ['no caps', pointsField('caps: []')],
    ...['metric, metric: reads, threshold: 1', 'streak, length: 1', 'achievement, achievement: first'].flatMap((kind) =>
      ['null', '{ per: month, points: 5 }'].map(
        (cap) =>
          [
            `a points trigger of type ${kind} with the cap ${cap}`,
            pointsTrigger(`{ type: ${kind}, points: 1, cap: ${cap} }`),
          ] as const,
      ),
    ),
    ...[
      'metric, metric: reads, threshold: 1',
      'streak, length: 1',
      'achievement, achievement: first',
      'user_creation',
      'time, unit: day, interval: 1',
    ].map(
      (kind) =>
        [
          `a window of a points trigger of type ${kind}`,
          pointsTrigger(
            `{ type: ${kind}, points: 1, activeFrom: 2026-01-01T00:00:00Z, activeUntil: 2026-01-01T00:00:00.001Z }`,
          ),
        ] as const,
    ),
    [
      'boosts',
      pointsField(
        'boosts: [{ key: a, name: A, multiplier: 0.01, rounding: nearest, start: 2026-01-01T00:00:00Z, end: 2026-01-01T00:00:00.001Z }, { key: b, name: B, multiplier: 100, start: 2026-01-01T00:00:00Z }]',
      ),
    ],
    ['a boost without an end', boost('multiplier: 1.15, rounding: up, start: 2026-01-01T00:00:00Z, end: null')],
    ['level', level('description: D, badgeUrl: "https://x.example/b.png", points: 0')],
  ],
  refused: [
    [
      'a points system key twice',
      { points: 'points: [{ key: xp, name: X, triggers: [] }, { key: «xp, name: X, triggers: [] }]' },
      'points[1].key',
      'also at points[0].key',
    ],
    [
      'a points system without triggers',
      { points: 'points: [«{ key: xp, name: X }]' },
      'points[0].triggers',
      'missing: expected a list',
    ],
    ['maxPoints 0', pointsField('maxPoints: «0'), 'points[0].maxPoints', 'expected more than 0'],
    [
      'maxPoints beyond exact integers',
      pointsField('maxPoints: «9007199254740993'),
      'points[0].maxPoints',
      'expected at most 9007199254740991',
    ],
    ['half maxPoints', pointsField('maxPoints: «1.5'), 'points[0].maxPoints', 'expected a whole number'],
    [
      'an unknown levelsBy',
      pointsField('levelsBy: «earnd'),
      'points[0].levelsBy',
      'expected one of total, earned, found "earnd"',
    ],
    ['levelsBy null', pointsField('levelsBy: «null'), 'points[0].levelsBy', 'expected one of total, earned'],
    ['a mistyped levelsBy', pointsField('«levelBy: earned'), 'points[0].levelBy', "did you mean 'levelsBy'?"],
    [
      'a cap instead of a list',
      pointsField('caps: «{ per: day, points: 1 }'),
      'points[0].caps',
      'expected a list, found a map of fields',
    ],
    ['mistyped caps', pointsField('«cap: []'), 'points[0].cap', "did you mean 'caps'?"],
    [
      'a cap without a period',
      pointsField('caps: [«{ points: 1 }]'),
      'points[0].caps[0].per',
      'missing: expected one of day, week, month',
    ],
    [
      'a cap per year',
      pointsField('caps: [{ per: «year, points: 1 }]'),
      'points[0].caps[0].per',
      'expected one of day, week, month, found "year"',
    ],
    [
      'a cap without points',
      pointsField('caps: [«{ per: day }]'),
      'points[0].caps[0].points',
      'missing: expected a number',
    ],
    [
      'a cap of 0 points',
      pointsField('caps: [{ per: day, points: «0 }]'),
      'points[0].caps[0].points',
      'expected at least 1, found 0',
    ],
    [
      'a cap beyond 1e9',
      pointsField('caps: [{ per: day, points: «1000000001 }]'),
      'points[0].caps[0].points',
      'expected at most 1000000000',
    ],
    [
      'a cap of half a point',
      pointsField('caps: [{ per: day, points: «1.5 }]'),
      'points[0].caps[0].points',
      'expected a whole number',
    ],
    [
      'a mistyped field of a cap',
      pointsField('caps: [{ per: day, points: 1, «maxPoints: 1 }]'),
      'points[0].caps[0].maxPoints',
      'expected one of per, points',
    ],
    [
      'two caps for a day',
      pointsField('caps: [{ per: day, points: 1 }, { per: «day, points: 2 }]'),
      'points[0].caps[1].per',
      'expected each period only once, found "day" also at points[0].caps[0].per',
    ],
    [
      'a list of caps on a points trigger',
      pointsTrigger('{ type: streak, length: 1, points: 1, cap: «[] }'),
      'points[0].triggers[0].cap',
      'expected a map of fields, found an empty list',
    ],
    [
      'a cap with a mistyped field on a points trigger',
      pointsTrigger('{ type: streak, length: 1, points: 1, cap: { per: day, points: 1, «point: 1 } }'),
      'points[0].triggers[0].cap.point',
      "did you mean 'points'?",
    ],
    [
      'a cap on a points trigger of type user_creation',
      pointsTrigger('{ type: user_creation, points: 1, «cap: { per: day, points: 1 } }'),
      'points[0].triggers[0].cap',
      'unknown field',
    ],
    [
      'a cap on a points trigger of type time',
      pointsTrigger('{ type: time, unit: day, interval: 1, points: 1, «cap: null }'),
      'points[0].triggers[0].cap',
      'unknown field',
    ],
    [
      'two triggers without a key that differ only in their caps',
      pointsTrigger(
        '{ type: streak, length: 1, points: 1 }, «{ type: streak, length: 1, points: 1, cap: { per: day, points: 1 } }',
      ),
      'points[0].triggers[1]',
      'expected a key, because this trigger is identical to points[0].triggers[0]',
    ],
    [
      'a boost without a multiplier',
      incomplete('start: 2026-01-01T00:00:00Z'),
      'points[0].boosts[0].multiplier',
      'missing',
    ],
    ['a boost without a start', incomplete('multiplier: 2'), 'points[0].boosts[0].start', 'missing'],
    [
      'a boost without a name',
      pointsField('boosts: [«{ key: a, multiplier: 2, start: 2026-01-01T00:00:00Z }]'),
      'points[0].boosts[0].name',
      'missing',
    ],
    ['a multiplier of 0', boost(`multiplier: «0, ${NEW_YEAR}`), MULTIPLIER, 'expected at least 0.01'],
    ['a multiplier beyond 100', boost(`multiplier: «100.01, ${NEW_YEAR}`), MULTIPLIER, 'expected at most 100'],
    ['a multiplier of three decimals', boost(`multiplier: «1.125, ${NEW_YEAR}`), MULTIPLIER, 'at most 2 decimals'],
    ['a quoted multiplier', boost(`multiplier: «"2", ${NEW_YEAR}`), MULTIPLIER, 'expected a number'],
    [
      'an unknown rounding',
      boost(`multiplier: 2, rounding: «nearst, ${NEW_YEAR}`),
      'points[0].boosts[0].rounding',
      'expected one of down, up, nearest, found "nearst"',
    ],
    [
      'a boost that starts on a date without a time',
      boost('multiplier: 2, start: «2026-01-01'),
      'points[0].boosts[0].start',
      'expected an instant',
    ],
    [
      'a boost that ends when it starts',
      boost(`multiplier: 2, ${NEW_YEAR}, end: «2026-01-01T00:00:00.000Z`),
      'points[0].boosts[0].end',
      'expected an instant after start, which is 2026-01-01T00:00:00Z, found 2026-01-01T00:00:00.000Z',
    ],
    [
      'an end that is no instant',
      boost(`multiplier: 2, ${NEW_YEAR}, end: «never`),
      'points[0].boosts[0].end',
      'expected an instant',
    ],
    [
      'a mistyped field of a boost',
      boost(`multiplier: 2, ${NEW_YEAR}, «roundin: up`),
      'points[0].boosts[0].roundin',
      "did you mean 'rounding'?",
    ],
    ['mistyped boosts', pointsField('«boost: []'), 'points[0].boost', "did you mean 'boosts'?"],
    [
      'a boost key twice',
      pointsField(
        `boosts: [{ key: a, name: A, multiplier: 2, ${NEW_YEAR} }, { key: «a, name: B, multiplier: 3, ${NEW_YEAR} }]`,
      ),
      'points[0].boosts[1].key',
      'also at points[0].boosts[0].key',
    ],
    [
      'a points trigger of an unknown metric',
      pointsTrigger('{ type: metric, metric: «red, threshold: 1, points: 1 }'),
      'points[0].triggers[0].metric',
      'expected a key from metrics, found "red"',
    ],
    [
      'a points threshold below 0',
      pointsTrigger('{ type: metric, metric: reads, threshold: «-1, points: 1 }'),
      'points[0].triggers[0].threshold',
      'expected more than 0',
    ],
    [
      'points 0',
      pointsTrigger('{ type: user_creation, points: «0 }'),
      'points[0].triggers[0].points',
      'expected a number other than 0',
    ],
    [
      'points -0',
      pointsTrigger('{ type: user_creation, points: «-0 }'),
      'points[0].triggers[0].points',
      'expected a number other than 0',
    ],
    [
      'half a point',
      pointsTrigger('{ type: user_creation, points: «1.5 }'),
      'points[0].triggers[0].points',
      'expected a whole number',
    ],
    [
      'points beyond 1e9',
      pointsTrigger('{ type: user_creation, points: «1000000001 }'),
      'points[0].triggers[0].points',
      'expected at most 1000000000',
    ],
    [
      'points below -1e9',
      pointsTrigger('{ type: user_creation, points: «-1000000001 }'),
      'points[0].triggers[0].points',
      'expected at least -1000000000',
    ],
    [
      'points trigger with length 0',
      pointsTrigger('{ type: streak, length: «0, points: 1 }'),
      'points[0].triggers[0].length',
      'expected at least 1',
    ],
    [
      'a points trigger of an unknown achievement',
      pointsTrigger('{ type: achievement, achievement: «frist, points: 1 }'),
      'points[0].triggers[0].achievement',
      "did you mean 'first'?",
    ],
    [
      'an unknown points trigger',
      pointsTrigger('{ type: «event, points: 1 }'),
      'points[0].triggers[0].type',
      'expected one of metric, streak, achievement, user_creation, time',
    ],
    [
      'a trigger key twice',
      pointsTrigger('{ key: k, type: user_creation, points: 1 }, { key: «k, type: user_creation, points: 2 }'),
      'points[0].triggers[1].key',
      'also at points[0].triggers[0].key',
    ],
    [
      'two equal triggers without a key',
      pointsTrigger(
        '{ type: metric, metric: reads, threshold: 1, points: 1 }, «{ points: 1, threshold: 1.0, metric: reads, type: metric }',
      ),
      'points[0].triggers[1]',
      'expected a key, because this trigger is identical to points[0].triggers[0]',
    ],
    [
      'two time triggers that differ only in how an instant is written',
      pointsTrigger(
        '{ type: time, unit: day, interval: 1, points: 1, activeFrom: 2026-01-01T00:00:00Z }, «{ type: time, unit: day, interval: 1, points: 1, activeFrom: 2026-01-01T00:00:00.000Z }',
      ),
      'points[0].triggers[1]',
      'expected a key',
    ],
    [
      'an unknown unit',
      pointsTrigger('{ type: time, unit: «week, interval: 1, points: 1 }'),
      'points[0].triggers[0].unit',
      'expected one of hour, day',
    ],
    [
      'interval 0',
      pointsTrigger('{ type: time, unit: day, interval: «0, points: 1 }'),
      'points[0].triggers[0].interval',
      'expected at least 1',
    ],
    [
      'interval 8,761',
      pointsTrigger('{ type: time, unit: day, interval: «8761, points: 1 }'),
      'points[0].triggers[0].interval',
      'expected at most 8760',
    ],
    [
      'activeFrom as a date',
      pointsTrigger('{ type: time, unit: day, interval: 1, points: 1, activeFrom: «2026-01-01 }'),
      'points[0].triggers[0].activeFrom',
      'expected an instant in UTC',
    ],
    [
      'activeFrom on a day that does not exist',
      pointsTrigger('{ type: time, unit: day, interval: 1, points: 1, activeFrom: «2026-02-30T00:00:00Z }'),
      'points[0].triggers[0].activeFrom',
      'expected an instant in UTC',
    ],
    [
      'activeUntil as a date',
      pointsTrigger('{ type: user_creation, points: 1, activeUntil: «2026-01-01 }'),
      'points[0].triggers[0].activeUntil',
      'expected an instant in UTC',
    ],
    [
      'a mistyped activeUntil',
      pointsTrigger('{ type: streak, length: 1, points: 1, «activeUntill: null }'),
      'points[0].triggers[0].activeUntill',
      "did you mean 'activeUntil'?",
    ],
    [
      'an empty window',
      pointsTrigger(
        '{ type: streak, length: 1, points: 1, activeFrom: 2026-01-01T00:00:00Z, activeUntil: «2026-01-01T00:00:00.000Z }',
      ),
      'points[0].triggers[0].activeUntil',
      'expected an instant after activeFrom, which is 2026-01-01T00:00:00Z, found 2026-01-01T00:00:00.000Z',
    ],
    [
      'two triggers without a key that differ only in their windows',
      pointsTrigger(
        '{ type: streak, length: 1, points: 1 }, «{ type: streak, length: 1, points: 1, activeFrom: 2026-01-01T00:00:00Z, activeUntil: 2026-01-02T00:00:00Z }',
      ),
      'points[0].triggers[1]',
      'expected a key, because this trigger is identical to points[0].triggers[0]',
    ],
    [
      'a level key twice',
      pointsField('levels: [{ key: l, name: L, points: 1 }, { key: «l, name: L, points: 2 }]'),
      'points[0].levels[1].key',
      'expected each key only once',
    ],
    [
      'two levels of equal points',
      pointsField('levels: [{ key: l, name: L, points: 1 }, { key: m, name: M, points: «1 }]'),
      'points[0].levels[1].points',
      'expected points that differ from points[0].levels[0].points',
    ],
    ['a level below 0', level('points: «-1'), 'points[0].levels[0].points', 'expected at least 0'],
    [
      'a level without points',
      pointsField('levels: [«{ key: l, name: L }]'),
      'points[0].levels[0].points',
      'missing: expected a number',
    ],
  ],
});
