import { acceptsAndRefuses, achievement, api } from './document-fields.test-data.ts';

acceptsAndRefuses('the achievements of a document', {
  accepted: [
    ['description: 1,000 characters', achievement(`description: ${'d'.repeat(1000)}, ${api}`)],
    ['description: empty', achievement(`description: "", ${api}`)],
    ['description: null', achievement(`description: null, ${api}`)],
    ['badgeUrl: http and https', achievement(`badgeUrl: "http://localhost:8080/a.png?x=1#y", ${api}`)],
    ['achievement trigger metric', achievement('trigger: { type: metric, metric: reads, value: 0.5 }')],
    ['achievement trigger streak', achievement('trigger: { type: streak, length: 100000 }')],
    ['achievement trigger api', achievement(api)],
    [
      'achievement trigger achievement',
      {
        achievements:
          'achievements: [{ key: a, name: A, trigger: { type: achievement, achievements: [b] } }, { key: b, name: B, trigger: { type: api } }]',
      },
    ],
  ],
  refused: [
    [
      'an achievement key twice',
      {
        achievements:
          'achievements: [{ key: a, name: A, trigger: { type: api } }, { key: «a, name: A, trigger: { type: api } }]',
      },
      'achievements[1].key',
      'also at achievements[0].key',
    ],
    [
      'an achievement without trigger',
      { achievements: 'achievements: [«{ key: a, name: A }]' },
      'achievements[0].trigger',
      'missing: expected a map',
    ],
    [
      'a description of 1,001 characters',
      achievement(`description: «${'d'.repeat(1001)}, ${api}`),
      'achievements[0].description',
      'expected text of at most 1000 characters',
    ],
    [
      'a badgeUrl of another scheme',
      achievement(`badgeUrl: «"ftp://x.example/a", ${api}`),
      'achievements[0].badgeUrl',
      'http or https',
    ],
    [
      'a badgeUrl that is not a URL',
      achievement(`badgeUrl: «badge.png, ${api}`),
      'achievements[0].badgeUrl',
      'http or https',
    ],
    [
      'a badgeUrl with a space',
      achievement(`badgeUrl: «"https://x.example/a b", ${api}`),
      'achievements[0].badgeUrl',
      'without spaces',
    ],
    [
      'an unknown achievement trigger',
      achievement('trigger: { type: «points, length: 1 }'),
      'achievements[0].trigger.type',
      'expected one of metric, streak, api, achievement, found "points"',
    ],
    [
      'an achievement trigger without type',
      achievement('trigger: «{ length: 1 }'),
      'achievements[0].trigger.type',
      'missing',
    ],
    [
      'a field of another trigger',
      achievement('trigger: { type: api, «metric: reads }'),
      'achievements[0].trigger.metric',
      'expected one of type',
    ],
    [
      'value 0',
      achievement('trigger: { type: metric, metric: reads, value: «0 }'),
      'achievements[0].trigger.value',
      'expected more than 0',
    ],
    [
      'value with 7 decimals',
      achievement('trigger: { type: metric, metric: reads, value: «1.0000001 }'),
      'achievements[0].trigger.value',
      'at most 6 decimals',
    ],
    [
      'length 0',
      achievement('trigger: { type: streak, length: «0 }'),
      'achievements[0].trigger.length',
      'expected at least 1',
    ],
    [
      'length 100,001',
      achievement('trigger: { type: streak, length: «100001 }'),
      'achievements[0].trigger.length',
      'expected at most 100000',
    ],
    [
      'an achievement of an unknown metric',
      achievement('trigger: { type: metric, metric: «writes, value: 1 }'),
      'achievements[0].trigger.metric',
      'expected a key from metrics, found "writes"',
    ],
    [
      'a composite without parts',
      achievement('trigger: { type: achievement, achievements: «[] }'),
      'achievements[0].trigger.achievements',
      'expected at least 1',
    ],
    [
      'a composite of an unknown achievement',
      achievement('trigger: { type: achievement, achievements: [«b] }'),
      'achievements[0].trigger.achievements[0]',
      'expected a key from achievements',
    ],
    [
      'a composite of itself',
      achievement('trigger: { type: achievement, achievements: [«a] }'),
      'achievements[0].trigger.achievements[0]',
      'found "a" → "a"',
    ],
    [
      'a composite that names an achievement twice',
      {
        achievements:
          'achievements: [{ key: b, name: B, trigger: { type: api } }, { key: a, name: A, trigger: { type: achievement, achievements: [b, «b] } }]',
      },
      'achievements[1].trigger.achievements[1]',
      'expected each achievement only once',
    ],
  ],
});
