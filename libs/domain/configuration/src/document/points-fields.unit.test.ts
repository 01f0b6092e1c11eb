import { acceptsAndRefuses, pointsTrigger, pointsField, level } from './document-fields.test-data.ts';

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
