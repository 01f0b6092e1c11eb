import { TYPES_OF_ALL, type OutcomeType } from '@laurel/kernel';
import { parseDocument } from '../document/parse-document.ts';
import { sameDocument } from '../document/same-document.ts';
import { decideFile } from '../plan/decide-file.ts';
import { planPublication } from '../plan/plan-publication.ts';
import { compileHistory } from './compile-history.ts';

const METRICS = 'version: 1\nmetrics: [{ key: lessons, name: Lessons }]\n';

const read = (outgoing: string) => {
  const { document, problems } = parseDocument(`${METRICS}outgoing: ${outgoing}\n`, 'test');
  if (document === undefined) throw new Error(JSON.stringify(problems));
  return document;
};

const typesOf = (document: unknown) =>
  [...(compileHistory('default', [{ version: 1, document, publishedAt: 0 }]).current.outgoing?.types ?? [])].sort();

/** As a release stored it that did not name the types. */
const STORED = {
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  achievements: [],
  points: [],
  leaderboards: [],
  outgoing: { events: 'all', keep: '7d', announceTop: 10 },
};

const OF_STORED = [
  ...['achievement.completed', 'configuration.published', 'emails.reactivation_due', 'emails.recap_due'],
  ...['endpoint.disabled', 'import.finished', 'leaderboard.changed', 'leaderboard.rank_changed'],
  ...['leaderboard.rank_lost', 'points.changed', 'points.level_changed', 'streak.at_risk', 'streak.extended'],
  ...['streak.freeze_consumed', 'streak.freeze_earned', 'streak.lost', 'streak.started', 'user.corrected'],
  ...['user.created', 'user.erased'],
];

describe('outgoing events "all"', () => {
  it('are stored as a list of types, so that types added later are not included', () => {
    const document = read('{ events: all }');
    expect(document.outgoing?.events).toEqual(TYPES_OF_ALL);
    expect(typesOf(document)).toEqual([...TYPES_OF_ALL].sort());
  });

  it('stored by a former release without a list stand for the types of that release', () => {
    expect(typesOf(STORED)).toEqual(OF_STORED);
    expect(sameDocument(STORED, read(`{ events: [${OF_STORED.join(', ')}] }`))).toBe(true);
  });

  it('include more types when a release with more types publishes the same file', () => {
    const fewer = TYPES_OF_ALL.filter((type: OutcomeType) => type !== 'points.changed');
    const former = read(`{ events: [${fewer.join(', ')}] }`);
    const published = { publications: [{ version: 1, document: former, publishedAt: 0 }], holdsEvents: true };
    const file = read('{ events: all }');
    expect(decideFile(published, former, file)).toEqual({ type: 'publish' });
    const { changes } = planPublication(published, file);
    expect(changes.map(({ path, effect }) => `${path}: ${effect}`)).toEqual([
      'outgoing.events: From publication, Laurel also makes outcomes of these types: points.changed.',
    ]);
  });

  it('are compared without regard to their order', () => {
    const types = '[streak.lost, points.changed]';
    expect(sameDocument(read(`{ events: ${types} }`), read('{ events: [points.changed, streak.lost] }'))).toBe(true);
  });
});

describe('the entry points.changed for some systems and triggers', () => {
  const POINTS =
    'points: [{ key: xp, name: XP, triggers: [{ type: user_creation, points: 1 }] }, { key: hearts, name: Hearts, triggers: [{ type: user_creation, points: 1 }] }]';
  const narrowed = (events: string) => {
    const { document, problems } = parseDocument(`${METRICS}${POINTS}\noutgoing: { events: ${events} }\n`, 'test');
    if (document === undefined) throw new Error(JSON.stringify(problems));
    return document;
  };
  const awardsOf = (document: unknown) =>
    compileHistory('default', [{ version: 1, document, publishedAt: 0 }]).current.outgoing?.awards;

  it('is compiled to one filter per entry', () => {
    const events =
      '[{ type: points.changed, pointsSystems: [xp], triggers: [time] }, { type: points.changed, triggers: [grant] }]';
    expect(awardsOf(narrowed(events))).toEqual([
      { pointsSystems: new Set(['xp']), triggers: new Set(['time']) },
      { pointsSystems: undefined, triggers: new Set(['grant']) },
    ]);
  });

  it('has no filter if the whole type is named or the entry limits nothing', () => {
    expect(awardsOf(narrowed('[points.changed]'))).toBeNull();
    expect(awardsOf(narrowed('[{ type: points.changed }]'))).toBeNull();
    expect(sameDocument(narrowed('[points.changed]'), narrowed('[{ type: points.changed }]'))).toBe(true);
  });

  it('is compared without regard to the order of entries, systems and triggers', () => {
    const [one, other] = [
      '[streak.lost, { type: points.changed, pointsSystems: [xp, hearts] }, { type: points.changed, triggers: [time, metric] }]',
      '[{ type: points.changed, triggers: [metric, time] }, { type: points.changed, pointsSystems: [hearts, xp] }, streak.lost]',
    ];
    expect(sameDocument(narrowed(one), narrowed(other))).toBe(true);
    expect(sameDocument(narrowed(one), narrowed('[streak.lost, points.changed]'))).toBe(false);
  });

  it('is named in the plan of a publication together with its limits', () => {
    const published = {
      publications: [{ version: 1, document: narrowed('[points.changed]'), publishedAt: 0 }],
      holdsEvents: true,
    };
    const file = narrowed('[{ type: points.changed, pointsSystems: [hearts], triggers: [metric, grant] }]');
    expect(planPublication(published, file).changes.map(({ effect }) => effect)).toEqual([
      'From publication, Laurel also makes outcomes of these types: points.changed (points systems hearts; triggers grant, metric). From publication, Laurel no longer makes outcomes of these types: points.changed.',
    ]);
  });
});
