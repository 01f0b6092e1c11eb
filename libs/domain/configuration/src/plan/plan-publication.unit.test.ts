import type { ConfigurationDocument } from '@laurel/schemas';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { parseDocument } from '../document/parse-document.ts';
import { planPublication, planPublicationInSteps } from './plan-publication.ts';

type Edit = (copy: ConfigurationDocument) => unknown;

function complete(): ConfigurationDocument {
  const { document } = parseDocument(COMPLETE_DOCUMENT, 'app.yaml');
  if (document === undefined) throw new Error('the complete document does not parse');
  return document;
}

/** The complete document, edited. */
function edited(...edits: readonly Edit[]): ConfigurationDocument {
  const copy = complete();
  for (const edit of edits) edit(copy);
  return copy;
}

const published = (...documents: readonly unknown[]) =>
  documents.map((document, index) => ({ version: index + 1, document, publishedAt: index * 1_000 }));

/** What the last of these documents would change after all others, some event being recorded. */
function planOf(...documents: readonly unknown[]) {
  return planPublication({ publications: published(...documents.slice(0, -1)), holdsEvents: true }, documents.at(-1));
}

/** Kind, path and effect of each change that an edit of the complete document makes. */
function changesOf(...edits: readonly Edit[]): readonly string[] {
  return planOf(complete(), edited(...edits)).changes.map(({ kind, path, effect }) => `${kind} ${path}: ${effect}`);
}

const only = (text: string) => [expect.stringContaining(text)];

type Row = readonly [what: string, edit: Edit, change: string];

const first = <T>(list: readonly T[]): T => list[0] as T;
const xp = (copy: ConfigurationDocument) => first(copy.points);
const streak = (copy: ConfigurationDocument) => copy.streak as NonNullable<typeof copy.streak>;
const without = <T extends { readonly key?: string }>(list: readonly T[], key: string) =>
  list.filter((one) => one.key !== key);

/** Nothing refers to the metric `km` any more, so that it can be removed. */
const withoutKilometres: Edit = (copy) => {
  copy.metrics = without(copy.metrics, 'km');
  streak(copy).conditions = streak(copy).conditions.filter(({ metric }) => metric !== 'km');
  xp(copy).triggers = xp(copy).triggers.slice(1);
  copy.leaderboards = without(copy.leaderboards, 'far');
};

describe('a plan', () => {
  it('is empty for a document equal to the one in force, which stays in force', () => {
    const plan = planOf(
      { version: 1, metrics: [{ key: 'a', name: 'A' }] },
      complete(),
      edited((copy) => {
        streak(copy).conditions.reverse();
        xp(copy).levels.reverse();
      }),
    );
    expect(plan).toEqual({ id: plan.id, current: 2, next: 2, changes: [] });
  });

  it('names the version in force and the next one', () => {
    expect(
      planOf(
        complete(),
        edited((copy) => (first(copy.metrics).name = 'Laps')),
      ),
    ).toMatchObject({
      current: 1,
      next: 2,
    });
  });

  it('has the values before and after a change, and one value for an addition or removal', () => {
    const renamed = planOf(
      complete(),
      edited((copy) => (first(copy.metrics).name = 'Laps')),
    );
    expect(renamed.changes).toEqual([
      { kind: 'changed', path: 'metrics.runs.name', before: 'Runs', after: 'Laps', effect: expect.any(String) },
    ]);
    const board = first(complete().leaderboards);
    const removed = planOf(
      complete(),
      edited((copy) => copy.leaderboards.shift()),
    ).changes;
    expect(removed).toEqual([{ kind: 'removed', path: 'leaderboards.far', before: board, effect: expect.any(String) }]);
    const added = planOf(
      edited((copy) => copy.leaderboards.shift()),
      complete(),
    ).changes;
    expect(added).toEqual([{ kind: 'added', path: 'leaderboards.far', after: board, effect: expect.any(String) }]);
  });

  it('states that the first version applies from the beginning', () => {
    const { current, next, changes } = planOf(complete());
    expect({ current, next }).toEqual({ current: null, next: 1 });
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(
      expect.arrayContaining([
        'added metrics.runs',
        'added streak',
        'added points.xp',
        'added points.xp.triggers.rest',
      ]),
    );
    for (const { effect } of changes) expect(effect).toContain('applies from the beginning');
  });

  it('replaces the version in force while the event store is empty', () => {
    const next = edited((copy) => (first(copy.metrics).name = 'Laps'), withoutKilometres);
    const plan = planPublication({ publications: published(complete()), holdsEvents: false }, next);
    expect(plan).toMatchObject({ current: 1, next: 1 });
    expect(new Set(plan.changes.map(({ kind, effect }) => `${kind}: ${effect}`))).toEqual(
      new Set([
        expect.stringMatching(/^changed: .*applies from the beginning/),
        expect.stringMatching(/^removed: .*as if it had never been there/),
      ]),
    );
  });

  it('accepts documents without defaults', () => {
    const short = { version: 1, metrics: [{ key: 'a', name: 'A' }] };
    expect(planOf(short, { ...short, achievements: [] }).changes).toEqual([]);
  });
});

describe('the plan of changed metrics', () => {
  it.each<Row>([
    [
      'a new metric',
      (copy) => copy.metrics.push({ key: 'laps', name: 'Laps' }),
      'added metrics.laps: Laurel accepts events for it from publication.',
    ],
    [
      'a changed name',
      (copy) => (first(copy.metrics).name = 'Laps'),
      'changed metrics.runs.name: From publication, answers show the new value',
    ],
    ['a changed order', (copy) => copy.metrics.reverse(), 'changed metrics: Answers list them in the new order'],
  ])('shows %s', (_, edit, change) => {
    expect(changesOf(edit)).toEqual(only(change));
  });

  it('shows a removed metric and everything that is removed with it', () => {
    expect(changesOf(withoutKilometres)).toEqual([
      expect.stringContaining('removed metrics.km: From publication, Laurel answers events for it with 404'),
      expect.stringContaining('removed streak.conditions.km: Users no longer have to meet it.'),
      expect.stringContaining('removed points.xp.triggers["1 for every 0.5 km"]: From publication, it gives nothing'),
      expect.stringContaining('removed leaderboards.far: From publication, nothing counts towards it'),
    ]);
  });

  it('states where totals continue if a metric returns', () => {
    const { changes } = planOf(complete(), edited(withoutKilometres), complete());
    expect(changes.map(({ path, effect }) => `${path}: ${effect}`)).toEqual([
      expect.stringContaining(
        'metrics.km: Laurel accepts events for it again. Totals continue from where they were in version 1',
      ),
      expect.stringContaining('streak.conditions.km: From publication, users must meet this condition as well.'),
      expect.stringMatching(/triggers.*It was in version 1, and continues from what it had counted of .* then/),
      expect.stringContaining('leaderboards.far: It was in version 1. Laurel shows its standings from then again'),
    ]);
  });
});

describe('the plan of a changed streak', () => {
  it.each<Row>([
    [
      'a changed frequency',
      (copy) => (streak(copy).frequency = 'daily'),
      "streak.frequency: Everyone's streak and its",
    ],
    ['a changed start of the week', (copy) => (streak(copy).weekStart = 'monday'), 'Weekly summaries begin on Monday'],
    [
      'a mode in which one condition suffices',
      (copy) => (streak(copy).mode = 'any'),
      'streak.mode: From publication, one condition',
    ],
    [
      'a removed condition',
      (copy) => streak(copy).conditions.pop(),
      'removed streak.conditions.km: Users no longer have to meet it',
    ],
    [
      'a lower threshold',
      (copy) => (first(streak(copy).conditions).threshold = 1),
      'progress in the current period still counts. Users who already meet',
    ],
    [
      'a higher threshold',
      (copy) => (first(streak(copy).conditions).threshold = 3),
      'runs.threshold: The new threshold applies from publication, and progress in the current period still counts. Periods',
    ],
    ['its removal', (copy) => delete copy.streak, 'removed streak: Laurel no longer keeps streaks'],
    [
      'the removal of freezes',
      (copy) => delete streak(copy).freezes,
      'removed streak.freezes: Freezes no longer bridge',
    ],
    [
      'a changed number of initial freezes',
      (copy) => (streak(copy).freezes!.initial = 2),
      'begin with 2 freezes. Existing users keep',
    ],
    ['a lowered maximum of freezes', (copy) => (streak(copy).freezes!.max = 2), 'freezes.max: Nobody loses a freeze'],
    [
      'a raised maximum of freezes',
      (copy) => (streak(copy).freezes!.max = 5),
      'freezes.max: From publication, users can hold more',
    ],
    [
      'a changed interval of earned freezes',
      (copy) => (streak(copy).freezes!.earnEvery = 1),
      'each user earns 1 freeze every day, counted',
    ],
    [
      'more freezes earned at a time',
      (copy) => (streak(copy).freezes!.earn = 2),
      'each user earns 2 freezes every 14 days',
    ],
  ])('shows %s', (_, edit, change) => {
    expect(changesOf(edit)).toEqual(only(change));
  });

  it('states that other changes apply to the new streaks if all streaks restart', () => {
    const changes = changesOf((copy) => {
      Object.assign(streak(copy), { frequency: 'monthly', mode: 'any' });
      first(streak(copy).conditions).threshold = 9;
    });
    expect(changes).toEqual([
      expect.stringContaining('start afresh: lengths and progress so far no longer count'),
      expect.stringContaining('streak.mode: It applies to the streaks that start afresh.'),
      expect.stringContaining('runs.threshold: It applies to the streaks that start afresh.'),
    ]);
  });

  it('states who gets freezes if they are introduced, alone or with the streak', () => {
    const sentence =
      'begin with 1 freeze; existing users begin with none. From publication, each user earns 1 freeze every 14';
    const toComplete = (edit: Edit) => planOf(edited(edit), complete()).changes.map(({ effect }) => effect);
    expect(toComplete((copy) => delete streak(copy).freezes)).toEqual(only(sentence));
    expect(toComplete((copy) => delete copy.streak)).toEqual(only(sentence));
  });
});

describe('the plan of changed achievements', () => {
  const triggered =
    (trigger: ConfigurationDocument['achievements'][number]['trigger']): Edit =>
    (copy) =>
      (first(copy.achievements).trigger = trigger);

  it.each<Row>([
    [
      'a changed name',
      (copy) => (first(copy.achievements).name = 'Away'),
      'changed achievements.first-run.name: From publication, answers show',
    ],
    [
      'a removed badge',
      (copy) => (first(copy.achievements).badgeUrl = null),
      'changed achievements.first-run.badgeUrl: From publication, answers',
    ],
    [
      'a changed description',
      (copy) => (first(copy.achievements).description = ''),
      'first-run.description: From publication, answers show',
    ],
    [
      'a changed group',
      (copy) => (first(copy.achievements).group = 'walking'),
      'changed achievements.first-run.group: From publication, answers show',
    ],
    [
      'a removed tier',
      (copy) => (first(copy.achievements).tier = null),
      'changed achievements.first-run.tier: From publication, answers show',
    ],
    [
      'that a hidden one is shown',
      (copy) => (first(copy.achievements).hidden = false),
      'first-run.hidden: From publication, lists show it to everyone. It still completes as before.',
    ],
    [
      'that one is hidden',
      (copy) => (copy.achievements[1]!.hidden = true),
      'achievements.month.hidden: From publication, lists show it only to users who have completed it. It still',
    ],
    ['a changed order', (copy) => copy.achievements.reverse(), 'changed achievements: Answers list them'],
    [
      'a changed value',
      triggered({ type: 'metric', metric: 'runs', value: 2 }),
      'Users who have completed it keep it. A user completes it with their next runs event that leaves their total at 2',
    ],
    [
      'a change to a streak trigger',
      triggered({ type: 'streak', length: 3 }),
      'next extend their streak to a length of 3 or more',
    ],
    [
      'a change to an API trigger',
      triggered({ type: 'api' }),
      'Users who have completed it keep it. An API call completes it.',
    ],
    [
      'a change to a composite trigger',
      triggered({ type: 'achievement', achievements: ['month'] }),
      'Users who have already completed them all get it with their next event',
    ],
  ])('shows %s', (_, edit, change) => {
    expect(changesOf(edit)).toEqual(only(change));
  });

  it.each<Row>([
    [
      'a beginning',
      (copy) => (first(copy.achievements).activeFrom = '2026-02-01T00:00:00Z'),
      'changed achievements.first-run.activeFrom: From publication, users complete it only with events from 2026-02-01T00:00:00.000Z on. Whoever reaches it outside',
    ],
    [
      'no beginning',
      (copy) => (first(copy.achievements).activeFrom = null),
      'changed achievements.first-run.activeFrom: From publication, it has no beginning.',
    ],
    [
      'an end',
      (copy) => (first(copy.achievements).activeUntil = '2026-02-01T00:00:00Z'),
      'changed achievements.first-run.activeUntil: From publication, users complete it only with events before 2026-02-01T00:00:00.000Z.',
    ],
    [
      'no end',
      (copy) => (first(copy.achievements).activeUntil = null),
      'changed achievements.first-run.activeUntil: From publication, it has no end.',
    ],
  ])('describes %s', (_, edit, effect) => {
    expect(
      planOf(complete(), edited(edit)).changes.map(({ kind, path, effect: words }) => `${kind} ${path}: ${words}`),
    ).toEqual([expect.stringContaining(effect)]);
  });

  it('says that a new achievement is hidden', () => {
    const whenNew = (key: string) => {
      const before = edited((copy) => (copy.achievements = without(copy.achievements, key)));
      return planOf(before, complete()).changes.map(({ effect }) => effect);
    };
    expect(whenNew('first-run')).toEqual(only('It is hidden: lists show it only to users who have completed it.'));
    expect(whenNew('complete')).toEqual([expect.not.stringContaining('hidden')]);
  });

  it('shows a removed achievement, and that users who had it regain it if it returns', () => {
    const shorter = edited((copy) => (copy.achievements = without(copy.achievements, 'first-run')));
    expect(planOf(complete(), shorter).changes).toMatchObject([
      {
        kind: 'removed',
        path: 'achievements.first-run',
        effect: expect.stringContaining('keep it, but Laurel no longer shows it'),
      },
    ]);
    expect(planOf(shorter, complete()).changes).toMatchObject([
      { kind: 'added', path: 'achievements.first-run', effect: expect.not.stringContaining('version') },
    ]);
    expect(planOf(complete(), shorter, complete()).changes).toMatchObject([
      { effect: expect.stringContaining('It was in version 1: users who completed it then have it again') },
    ]);
  });
});

describe('the plan of changed leaderboards', () => {
  const board = (copy: ConfigurationDocument, index: number) =>
    copy.leaderboards[index] as ConfigurationDocument['leaderboards'][number];

  it.each<Row>([
    [
      'a changed name',
      (copy) => (board(copy, 0).name = 'F'),
      'changed leaderboards.far.name: From publication, answers show the new value',
    ],
    [
      'a changed start',
      (copy) => (board(copy, 0).start = '2026-02-01'),
      'far.start: Nothing dated before 2026-02-01 counts.',
    ],
    [
      'a changed end',
      (copy) => (board(copy, 0).end = '2027-01-01'),
      'far.end: From publication, nothing dated after 2027-01-01 counts',
    ],
    ['a removed end', (copy) => (board(copy, 0).end = null), 'far.end: It continues without an end.'],
    [
      'longer runs',
      (copy) => (board(copy, 1).runInterval = 2),
      'xp.runInterval: Laurel recalculates all runs, counting from 2026-01-31',
    ],
    [
      'a changed unit of runs',
      (copy) => (board(copy, 1).runUnit = 'day'),
      'xp.runUnit: Laurel recalculates all runs, counting from 2026-01-31',
    ],
    ['a lowered number of ranks', (copy) => (board(copy, 1).maxParticipants = 5), 'Laurel ranks only 5 users'],
    ['a raised number of ranks', (copy) => (board(copy, 1).maxParticipants = 500), 'Laurel ranks up to 500 users'],
    [
      'a changed metric',
      (copy) => (board(copy, 0).metric = 'runs'),
      'far.rankBy: Existing values stay, and Laurel adds values of runs',
    ],
    ['a changed order', (copy) => copy.leaderboards.reverse(), 'changed leaderboards: Answers list them'],
    [
      'a new leaderboard by streak',
      (copy) => copy.leaderboards.push({ ...board(copy, 2), key: 'new' }),
      'added leaderboards.new: It is empty at first. Users join it as soon as they next extend their streak',
    ],
    [
      'a new leaderboard by metric',
      (copy) => copy.leaderboards.push({ ...board(copy, 0), key: 'new' }),
      'added leaderboards.new: It counts what is recorded after publication',
    ],
  ])('shows %s', (_, edit, change) => {
    expect(changesOf(edit)).toEqual(only(change));
  });

  it('shows rankBy and its metric or points system as one value', () => {
    const { changes } = planOf(
      complete(),
      edited((copy) => {
        Object.assign(board(copy, 0), { rankBy: 'points', pointsSystem: 'xp' });
        delete board(copy, 0).metric;
      }),
    );
    expect(changes).toEqual([
      {
        kind: 'changed',
        path: 'leaderboards.far.rankBy',
        before: { rankBy: 'metric', metric: 'km' },
        after: { rankBy: 'points', pointsSystem: 'xp' },
        effect: expect.stringContaining('Laurel adds awards of xp recorded after publication to them'),
      },
    ]);
  });
});

describe('planPublicationInSteps', () => {
  it('returns the same plan and yields to other work before each part of the document', async () => {
    const before = { version: 1, metrics: [{ key: 'a', name: 'A' }] };
    const after = { version: 1, metrics: [{ key: 'b', name: 'B' }], achievements: [{ key: 'c', name: 'C', trigger: { type: 'api' } }] }; // prettier-ignore
    const published = { publications: [{ version: 1, publishedAt: 0, document: before }], holdsEvents: true };
    let turns = 0;
    const plan = await planPublicationInSteps(published, after, () => Promise.resolve(turns++));
    expect(plan).toEqual(planPublication(published, after));
    expect(plan.changes).toHaveLength(3);
    expect(turns).toBe(7);
  });
});

it('a plan lists the outcome types that are no longer made, except the ones that are always made', () => {
  const naming = (events: unknown) => ({ ...complete(), outgoing: { events } });
  const fewer = planOf(naming(['streak.lost', 'points.changed', 'user.erased']), naming(['streak.lost']));
  expect(fewer.changes.map(({ effect }) => effect)).toEqual([
    'From publication, Laurel no longer makes outcomes of these types: points.changed.',
  ]);
  const same = planOf(naming(['streak.lost']), naming(['streak.lost', 'user.corrected']));
  expect(same.changes.map(({ effect }) => effect)).toEqual(['Laurel makes outcomes of the same types as before.']);
});
