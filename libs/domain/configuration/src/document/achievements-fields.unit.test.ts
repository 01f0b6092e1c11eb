import { acceptsAndRefuses, achievement, api } from './document-fields.test-data.ts';

acceptsAndRefuses('the achievements of a document', {
  accepted: [
    ['description: 1,000 characters', achievement(`description: ${'d'.repeat(1000)}, ${api}`)],
    ['description: empty', achievement(`description: "", ${api}`)],
    ['description: null', achievement(`description: null, ${api}`)],
    ['badgeUrl: http and https', achievement(`badgeUrl: "http://localhost:8080/a.png?x=1#y", ${api}`)],
    ['group', achievement(`group: "7_-a", ${api}`)],
    ['group: null', achievement(`group: null, ${api}`)],
    ['tier: a whole number', achievement(`tier: 3, ${api}`)],
    ['tier: 0', achievement(`tier: 0, ${api}`)],
    ['tier: below 0', achievement(`tier: -1, ${api}`)],
    ['tier: null', achievement(`tier: null, ${api}`)],
    ['hidden: true', achievement(`hidden: true, ${api}`)],
    ['hidden: false', achievement(`hidden: false, ${api}`)],
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
      'a group that is no key',
      achievement(`group: «"my group", ${api}`),
      'achievements[0].group',
      'expected a key: 1 to 64 letters, digits, _ or -, found "my group"',
    ],
    [
      'a group that is a number',
      achievement(`group: «7, ${api}`),
      'achievements[0].group',
      'expected text, found 7 (put it in quotes)',
    ],
    ['an empty group', achievement(`group: «"", ${api}`), 'achievements[0].group', 'expected a key'],
    [
      'a tier with decimals',
      achievement(`tier: «1.5, ${api}`),
      'achievements[0].tier',
      'expected a whole number, found 1.5',
    ],
    ['a tier in words', achievement(`tier: «gold, ${api}`), 'achievements[0].tier', 'expected a number, found "gold"'],
    [
      'hidden: a text',
      achievement(`hidden: «yes, ${api}`),
      'achievements[0].hidden',
      'expected true or false, found "yes"',
    ],
    [
      'hidden: null',
      achievement(`hidden: «null, ${api}`),
      'achievements[0].hidden',
      'expected true or false, found nothing (null)',
    ],
    [
      'a misspelt group',
      achievement(`«groups: running, ${api}`),
      'achievements[0].groups',
      'unknown field "groups" (did you mean \'group\'?)',
    ],
    ['a misspelt tier', achievement(`«Tier: 1, ${api}`), 'achievements[0].Tier', "did you mean 'tier'?"],
    ['a misspelt hidden', achievement(`«hiden: true, ${api}`), 'achievements[0].hiden', "did you mean 'hidden'?"],
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
