import { acceptsAndRefuses, streak } from './document-fields.test-data.ts';

acceptsAndRefuses('the streak of a document', {
  accepted: [
    [
      'streak: weekly from Sunday, all conditions',
      {
        streak:
          'streak: { frequency: weekly, mode: all, weekStart: sunday, conditions: [{ metric: reads, threshold: 0.000001 }] }',
      },
    ],
    [
      'streak: monthly',
      {
        streak:
          'streak: { frequency: monthly, mode: any, weekStart: monday, conditions: [{ metric: reads, threshold: 2.5 }] }',
      },
    ],
    ['freezes: at their upper bounds', streak('freezes: { initial: 100, max: 100, earnEvery: 3650, earn: 100 }')],
    ['freezes: at their lower bounds', streak('freezes: { initial: 0, max: 0, earnEvery: 1, earn: 1 }')],
    ['freezes: none earned', streak('freezes: { initial: 1, max: 1 }')],
  ],
  refused: [
    [
      'streak without frequency',
      { streak: 'streak: «{ conditions: [{ metric: reads, threshold: 1 }] }' },
      'streak.frequency',
      'missing',
    ],
    [
      'an unknown frequency',
      { streak: 'streak: { frequency: «yearly, conditions: [{ metric: reads, threshold: 1 }] }' },
      'streak.frequency',
      'expected one of daily, weekly, monthly, found "yearly"',
    ],
    ['an unknown mode', streak('mode: «some'), 'streak.mode', 'expected one of all, any'],
    ['an unknown weekStart', streak('weekStart: «friday'), 'streak.weekStart', 'expected one of monday, sunday'],
    [
      'streak without conditions',
      { streak: 'streak: «{ frequency: daily }' },
      'streak.conditions',
      'missing: expected a list',
    ],
    [
      'no condition',
      { streak: 'streak: { frequency: daily, conditions: «[] }' },
      'streak.conditions',
      'expected at least 1',
    ],
    [
      'a condition without threshold',
      { streak: 'streak: { frequency: daily, conditions: [«{ metric: reads }] }' },
      'streak.conditions[0].threshold',
      'missing: expected a number',
    ],
    [
      'a condition of an unknown metric',
      { streak: 'streak: { frequency: daily, conditions: [{ metric: «raeds, threshold: 1 }] }' },
      'streak.conditions[0].metric',
      "did you mean 'reads'?",
    ],
    [
      'a metric in two conditions',
      {
        streak:
          'streak: { frequency: daily, conditions: [{ metric: reads, threshold: 1 }, { metric: «reads, threshold: 2 }] }',
      },
      'streak.conditions[1].metric',
      'expected each metric only once',
    ],
    [
      'threshold 0',
      { streak: 'streak: { frequency: daily, conditions: [{ metric: reads, threshold: «0 }] }' },
      'streak.conditions[0].threshold',
      'expected more than 0, found 0',
    ],
    [
      'threshold with 7 decimals',
      { streak: 'streak: { frequency: daily, conditions: [{ metric: reads, threshold: «0.0000001 }] }' },
      'streak.conditions[0].threshold',
      'at most 6 decimals',
    ],
    [
      'infinite threshold',
      { streak: 'streak: { frequency: daily, conditions: [{ metric: reads, threshold: «.inf }] }' },
      'streak.conditions[0].threshold',
      'expected a number',
    ],
    [
      'more initial freezes than max',
      streak('freezes: { initial: «3, max: 2 }'),
      'streak.freezes.initial',
      'expected at most max, which is 2, found 3',
    ],
    ['max beyond 100', streak('freezes: { initial: 0, max: «101 }'), 'streak.freezes.max', 'expected at most 100'],
    ['initial below 0', streak('freezes: { initial: «-1, max: 2 }'), 'streak.freezes.initial', 'expected at least 0'],
    [
      'half a freeze',
      streak('freezes: { initial: «0.5, max: 2 }'),
      'streak.freezes.initial',
      'expected a whole number',
    ],
    [
      'earnEvery alone',
      streak('freezes: { initial: 0, max: 2, earnEvery: «3 }'),
      'streak.freezes.earnEvery',
      'or neither, found only',
    ],
    [
      'earn alone',
      streak('freezes: { initial: 0, max: 2, earn: «3 }'),
      'streak.freezes.earn',
      'or neither, found only',
    ],
    [
      'earnEvery 0',
      streak('freezes: { initial: 0, max: 2, earnEvery: «0, earn: 1 }'),
      'streak.freezes.earnEvery',
      'expected at least 1',
    ],
    [
      'earnEvery beyond ten years',
      streak('freezes: { initial: 0, max: 2, earnEvery: «3651, earn: 1 }'),
      'streak.freezes.earnEvery',
      'expected at most 3650',
    ],
    [
      'earn 101',
      streak('freezes: { initial: 0, max: 2, earnEvery: 1, earn: «101 }'),
      'streak.freezes.earn',
      'expected at most 100',
    ],
    [
      'an unknown field of freezes',
      streak('freezes: { initial: 0, max: 2, «maximum: 3 }'),
      'streak.freezes.maximum',
      'unknown field',
    ],
  ],
});
