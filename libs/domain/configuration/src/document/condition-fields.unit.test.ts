import { achievement, boost, pointsTrigger, problemsOf, type Part } from './document-fields.test-data.ts';

const TRIGGER = 'type: metric, metric: reads, threshold: 1, points: 1';
const where = (conditions: string, trigger = TRIGGER): Part => pointsTrigger(`{ ${trigger}, where: ${conditions} }`);
const declaring = (attributes: string, part: Part): Part => ({ ...part, attributes: `attributes: ${attributes}` });
const many = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index));
const PLACE = 'points[0].triggers[0].where';

describe('the conditions of a points trigger', () => {
  it.each<readonly [string, Part]>([
    ['null', where('null')],
    ['a value of the event', where('{ event: { course: radio } }')],
    ['values of event and user', where('{ event: { course: [radio, tv] }, user: { plan: pro } }')],
    ['an empty value', where('{ user: { plan: "" } }')],
    ['5 keys of 50 values', where(`{ user: { ${many(5, (key) => `k${key}: [${many(50, (one) => `v${one}`)}]`)} } }`)],
    ...['streak, length: 1', 'achievement, achievement: first', 'user_creation'].map(
      (type) => [type, where('{ user: { plan: pro } }', `type: ${type}, points: 1`)] as const,
    ),
    [
      'declared keys',
      declaring('{ user: [plan], event: [course] }', where('{ event: { course: a }, user: { plan: b } }')),
    ],
    ['declared keys without conditions', { attributes: 'attributes: { user: [plan] }' }],
  ])('can be %s', (_, part) => {
    expect(problemsOf(part).problems).toEqual([]);
  });

  it.each<readonly [string, Part, string, string]>([
    ['a list', where('«[a]'), PLACE, 'expected a map of fields, found a list'],
    ['nothing', where('«{}'), PLACE, 'expected a condition on event or user, found an empty map'],
    ['no attributes', where('{ event: «{} }'), `${PLACE}.event`, 'expected 1 to 5 attributes, found 0'],
    [
      'six attributes',
      where(`{ user: «{ ${many(6, (key) => `k${key}: a`)} } }`),
      `${PLACE}.user`,
      'expected 1 to 5 attributes, found 6',
    ],
    [
      'no values',
      where('{ user: { plan: «[] } }'),
      `${PLACE}.user.plan`,
      'expected at least 1 in the list, found an empty list',
    ],
    [
      '51 values',
      where(`{ user: { plan: «[${many(51, (one) => `v${one}`)}] } }`),
      `${PLACE}.user.plan`,
      'expected at most 50 in the list',
    ],
    ['a number', where('{ user: { level: «7 } }'), `${PLACE}.user.level`, 'expected text, found 7 (put it in quotes)'],
    [
      'a boolean',
      where('{ user: { paid: «true } }'),
      `${PLACE}.user.paid`,
      'expected text, found true (put it in quotes)',
    ],
    [
      'a number in a list',
      where('{ user: { level: [a, «7] } }'),
      `${PLACE}.user.level[1]`,
      'expected text, found 7 (put it in quotes)',
    ],
    [
      'nothing as a value',
      where('{ user: { plan: «null } }'),
      `${PLACE}.user.plan`,
      'expected text, found nothing (null)',
    ],
    [
      'a map as a value',
      where('{ user: { plan: «{ a: b } } }'),
      `${PLACE}.user.plan`,
      'expected text, found a map of fields',
    ],
    ['a mistyped user', where('{ «usr: { plan: pro } }'), `${PLACE}.usr`, "did you mean 'user'?"],
    [
      'a mistyped where',
      pointsTrigger(`{ ${TRIGGER}, «wher: { user: { plan: pro } } }`),
      'points[0].triggers[0].wher',
      "did you mean 'where'?",
    ],
    [
      'the event of a streak',
      where('{ «event: { a: b } }', 'type: streak, length: 1, points: 1'),
      `${PLACE}.event`,
      'unknown field "event"',
    ],
    [
      'conditions of a time trigger',
      pointsTrigger('{ type: time, unit: day, interval: 1, points: 1, «where: { user: { a: b } } }'),
      'points[0].triggers[0].where',
      'unknown field "where"',
    ],
    [
      '__proto__',
      where('{ user: { «__proto__: a } }'),
      `${PLACE}.user.__proto__`,
      'expected another key than __proto__',
    ],
    [
      'an undeclared key',
      declaring('{ user: [plan] }', where('{ user: { «plam: pro } }')),
      `${PLACE}.user.plam`,
      'expected a key from user of attributes, found "plam" (did you mean \'plan\'?)',
    ],
    [
      'a key of the other kind',
      declaring('{ user: [plan] }', where('{ event: { «plan: pro } }')),
      `${PLACE}.event.plan`,
      'expected a key from event of attributes, found "plan"',
    ],
    [
      'declared attributes as a list',
      { attributes: 'attributes: «[plan]' },
      'attributes',
      'expected a map of fields, found a list',
    ],
    [
      'a declared number',
      { attributes: 'attributes: { user: [«7] }' },
      'attributes.user[0]',
      'expected text, found 7 (put it in quotes)',
    ],
    [
      'mistyped declarations',
      { attributes: 'attributes: { «users: [a] }' },
      'attributes.users',
      "did you mean 'user'?",
    ],
  ])('cannot be %s', (_, part, path, message) => {
    const { problems, line, column } = problemsOf(part);
    expect(problems).toEqual([expect.objectContaining({ path, line, column })]);
    expect(problems[0]?.message).toContain(message);
  });
});

describe('the conditions of an achievement', () => {
  const of = (trigger: string, conditions: string): Part =>
    achievement(`trigger: { type: ${trigger} }, where: ${conditions}`);
  const AT = 'achievements[0].where';

  it.each<readonly [string, Part]>([
    ['null', of('api', 'null')],
    ['a value of event and user', of('metric, metric: reads, value: 1', '{ event: { a: b }, user: { plan: pro } }')],
    ['a value of the user', of('streak, length: 1', '{ user: { plan: pro } }')],
  ])('can be %s', (_, part) => {
    expect(problemsOf(part).problems).toEqual([]);
  });

  it.each<readonly [string, Part, string, string]>([
    [
      'the event of a streak',
      of('streak, length: 1', '{ «event: { a: b }, user: { a: b } }'),
      `${AT}.event`,
      'unknown field "event" with trigger type streak; expected one of user',
    ],
    [
      'the user of a call',
      achievement('trigger: { type: api }, «where: { user: { a: b } }'),
      AT,
      'unknown field "where" with trigger type api',
    ],
    [
      'nothing',
      of('metric, metric: reads, value: 1', '«{}'),
      AT,
      'expected a condition on event or user, found an empty map',
    ],
    [
      'a number',
      of('metric, metric: reads, value: 1', '{ user: { level: «7 } }'),
      `${AT}.user.level`,
      'expected text, found 7 (put it in quotes)',
    ],
    [
      'within the trigger',
      achievement('trigger: { type: metric, metric: reads, value: 1, «where: { user: { a: b } } }'),
      'achievements[0].trigger.where',
      'unknown field "where"',
    ],
    [
      'an undeclared key',
      declaring('{ user: [plan] }', of('streak, length: 1', '{ user: { «plam: pro } }')),
      `${AT}.user.plam`,
      'expected a key from user of attributes, found "plam"',
    ],
  ])('cannot be %s', (_, part, path, message) => {
    const { problems, line, column } = problemsOf(part);
    expect(problems).toEqual([expect.objectContaining({ path, line, column })]);
    expect(problems[0]?.message).toContain(message);
  });
});

describe('the conditions of a boost', () => {
  const of = (conditions: string): Part => boost(`multiplier: 2, start: 2026-01-01T00:00:00Z, where: ${conditions}`);
  const AT = 'points[0].boosts[0].where';

  it('can be on the user', () => {
    expect(problemsOf(of('{ user: { plan: [pro, team] } }')).problems).toEqual([]);
  });

  it.each<readonly [string, Part, string, string]>([
    ['the event', of('{ «event: { a: b } }'), `${AT}.event`, 'unknown field "event"'],
    ['nothing', of('«{}'), AT, 'expected a condition on event or user, found an empty map'],
    [
      'an undeclared key',
      declaring('{ user: [plan] }', of('{ user: { «plam: pro } }')),
      `${AT}.user.plam`,
      'expected a key from user of attributes, found "plam"',
    ],
  ])('cannot be %s', (_, part, path, message) => {
    const { problems, line, column } = problemsOf(part);
    expect(problems).toEqual([expect.objectContaining({ path, line, column })]);
    expect(problems[0]?.message).toContain(message);
  });
});
