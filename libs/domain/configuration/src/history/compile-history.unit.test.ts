import { everyMs, type PointsTrigger } from '@laurel/kernel';
import type { ConfigurationDocument } from '@laurel/schemas';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { parseDocument } from '../document/parse-document.ts';
import { compileHistory, withPublication } from './compile-history.ts';

const DAY = 86_400_000;
const complete = parsed(COMPLETE_DOCUMENT);

function parsed(text: string): ConfigurationDocument {
  const { document, problems } = parseDocument(text, 'app.yaml');
  if (document === undefined) throw new Error(JSON.stringify(problems));
  return document;
}

/** A document with one points system, `xp`, of these triggers. */
function withTriggers(triggers: string, more = '') {
  return parsed(`version: 1
metrics: [{ key: runs, name: Runs }]
points: [{ key: xp, name: XP, triggers: [${triggers}], ${more} }]`);
}

function withStreak(streak: string) {
  return parsed(`version: 1\nmetrics: [{ key: runs, name: Runs }]\n${streak === '' ? '' : `streak: ${streak}`}`);
}

function published(...documents: readonly unknown[]) {
  return documents.map((document, index) => ({ version: index + 1, document, publishedAt: (index + 1) * DAY }));
}

function history(...documents: readonly unknown[]) {
  return compileHistory('default', published(...documents));
}

function triggersOf(document: unknown): readonly PointsTrigger[] {
  return history(document).current.pointsSystemByKey.get('xp')?.triggers ?? [];
}

describe('a compiled configuration', () => {
  const { current } = history(complete);

  it('has exact thresholds, resolved references and levels ordered by points', () => {
    expect(current.streak).toEqual({
      generation: 1,
      frequency: 'weekly',
      weekStart: 'sunday',
      period: { frequency: 'weekly', weekStart: 'sunday' },
      mode: 'all',
      conditions: [
        { metric: 'runs', threshold: 2_000_000n },
        { metric: 'km', threshold: 7_500_000n },
      ],
      freezes: { initial: 1, max: 3, earnEvery: 14, earn: 1, since: -Infinity },
      freezeTerms: [{ since: -Infinity, freezes: { initial: 1, max: 3, earnEvery: 14, earn: 1, since: -Infinity } }],
    });
    const km = current.metricByKey.get('km');
    const xp = current.pointsSystemByKey.get('xp');
    expect(xp).toMatchObject({ maxPoints: 100_000n, name: 'Experience' });
    expect(xp?.levels.map(({ key, points }) => [key, points])).toEqual([
      ['bronze', 0n],
      ['gold', 1000n],
    ]);
    expect(xp?.triggers).toMatchObject([
      { type: 'metric', metric: km, threshold: 500_000n, points: 1n },
      { type: 'streak', length: 4, points: 40n },
      { type: 'achievement', achievement: { key: 'complete', name: 'Complete' }, points: 500n },
      { type: 'user_creation', points: 10n },
      { type: 'time', unit: 'day', interval: 7, points: 2n },
      { type: 'time', unit: 'hour', interval: 12, points: -1n },
    ]);
    const timed = xp?.triggers.filter((trigger) => trigger.type === 'time') ?? [];
    expect(timed.map(everyMs)).toEqual([7 * DAY, DAY / 2]);
    const named = (key: string) => {
      const { id, name } = current.achievementByKey.get(key)!;
      return { id, key, name };
    };
    expect(current.achievements.map(({ trigger }) => trigger)).toEqual([
      { type: 'metric', metric: current.metricByKey.get('runs'), value: 1_000_000n },
      { type: 'streak', length: 4 },
      { type: 'api' },
      { type: 'achievement', achievements: [named('month'), named('member')] },
    ]);
    expect(current.leaderboards).toMatchObject([
      { key: 'far', rankBy: { type: 'metric', metric: km }, start: '2026-01-01', end: '2030-12-31', run: null },
      {
        key: 'xp',
        rankBy: { type: 'points', pointsSystem: { key: 'xp', name: 'Experience' } },
        run: { unit: 'month', interval: 1 },
        maxParticipants: 50,
      },
      { key: 'steady', rankBy: { type: 'streak' }, end: null, maxParticipants: 1000 },
    ]);
  });

  it('starts weeks on Monday if it has no streak', () => {
    expect(history(withStreak('')).current).toMatchObject({ streak: null, weekStart: 'monday' });
  });

  it('stores a threshold in millionths, beyond the precision of a double', () => {
    const [trigger] = triggersOf(
      withTriggers('{ type: metric, metric: runs, threshold: 9007199254740991, points: 1 }'),
    );
    expect(trigger).toMatchObject({ threshold: 9_007_199_254_740_991_000_000n });
  });
});

describe('the ids of configured entries', () => {
  it('never change, because recorded events and clients hold them', () => {
    const { metrics, achievements, pointsSystems, leaderboards } = history(complete).current;
    const [xp] = pointsSystems;
    expect(
      [metrics[0], achievements[0], xp, xp?.triggers[0], xp?.triggers[5], xp?.levels[0], leaderboards[0]].map(
        (one) => one?.id,
      ),
    ).toMatchInlineSnapshot(`
     [
       "c14ec910-af3f-59c8-8ba2-8f7c26c29cde",
       "d37fc6cc-3793-5bbc-8617-fd8ae7672d63",
       "8445468d-00a2-593f-b8a0-d21227f4673f",
       "622fca71-99f3-5f48-987a-40577e3d4326",
       "8ab85d57-68d8-5d32-8080-ee1ab7175516",
       "303c063a-11ce-5bd0-87f3-4f678d062dc6",
       "df7b6840-b02a-5c91-8c5e-962167a218ec",
     ]
    `);
  });

  it('differ between kinds, points systems and accounts even if the key is the same', () => {
    const document = parsed(`version: 1
metrics: [{ key: a, name: A }]
achievements: [{ key: a, name: A, trigger: { type: api } }]
points:
  - { key: a, name: A, triggers: [{ key: a, type: user_creation, points: 1 }, { type: user_creation, points: 1 }], levels: [{ key: a, name: A, points: 1 }] }
  - { key: b, name: A, triggers: [{ key: a, type: user_creation, points: 1 }, { type: user_creation, points: 1 }], levels: [{ key: a, name: A, points: 1 }] }
leaderboards: [{ key: a, name: A, rankBy: streak, start: 2026-01-01 }]`);
    const ids = ['default', 'other'].flatMap((account) => {
      const { current } = compileHistory(account, published(document));
      const ofSystems = current.pointsSystems.flatMap((system) => [system, ...system.triggers, ...system.levels]);
      return [...current.metrics, ...current.achievements, ...ofSystems, ...current.leaderboards].map(({ id }) => id);
    });
    expect(ids).toHaveLength(22);
    expect(new Set(ids).size).toBe(22);
  });

  it('depend on the key of a trigger, or on its content if it has no key', () => {
    const keyed = (points: number) =>
      triggersOf(withTriggers(`{ key: k, type: user_creation, points: ${points} }`))[0]?.id;
    const plain = (points: number) => triggersOf(withTriggers(`{ type: user_creation, points: ${points} }`))[0]?.id;
    expect(keyed(1)).toBe(keyed(2));
    expect(plain(1)).not.toBe(plain(2));
  });
});

describe('a configuration history', () => {
  const first = withTriggers('{ type: user_creation, points: 1 }');
  const second = withTriggers('{ type: streak, length: 2, points: 1 }, { type: user_creation, points: 1 }');

  it('returns each version and throws for an unknown one', () => {
    const versions = history(first, second);
    expect(versions.at(1).pointsSystems[0]?.triggers).toHaveLength(1);
    expect(versions.at(2)).toBe(versions.current);
    for (const unknown of [0, 3, -1, 1.5, NaN]) expect(() => versions.at(unknown)).toThrow('no configuration version');
  });

  it('dates a trigger from the version in which it first appeared, even after a removal', () => {
    const { current } = history(first, second, withTriggers(''), second);
    expect(current.pointsSystems[0]?.triggers.map(({ publishedAt }) => publishedAt)).toEqual([2 * DAY, DAY]);
  });

  it('finds the newest definition of a removed trigger', () => {
    const versions = history(first, withTriggers(''));
    const id = versions.at(1).pointsSystems[0]?.triggers[0]?.id ?? '';
    expect(versions.findTrigger(id)).toMatchObject({ id, type: 'user_creation' });
    expect(versions.findTrigger('unknown')).toBeNull();
  });

  it('replaces the newest version if a publication has the same number', () => {
    const versions = compileHistory('default', [
      { version: 1, document: first, publishedAt: DAY },
      { version: 1, document: second, publishedAt: 2 * DAY },
    ]);
    expect(versions.versions).toHaveLength(1);
    expect(versions.current.pointsSystems[0]?.triggers.map(({ publishedAt }) => publishedAt)).toEqual([
      2 * DAY,
      2 * DAY,
    ]);
  });

  it('is not changed by adding a publication to it', () => {
    const before = history(first);
    const after = withPublication(before, { version: 2, document: second, publishedAt: 2 * DAY });
    expect([before.current.version, after.current.version]).toEqual([1, 2]);
    expect(after.at(1)).toBe(before.at(1));
  });

  it('refuses gaps, versions below the newest, and an empty list', () => {
    expect(() => compileHistory('default', [])).toThrow('no configuration is published');
    expect(() => compileHistory('default', [{ version: 2, document: first, publishedAt: 0 }])).toThrow('cannot follow');
    expect(() => withPublication(history(first, second), { version: 1, document: first, publishedAt: 0 })).toThrow(
      'cannot follow',
    );
    expect(() => withPublication(history(first), { version: 3, document: first, publishedAt: 0 })).toThrow(
      'cannot follow',
    );
  });

  it('refuses an invalid document and names the problem', () => {
    expect(() => history({ version: 1, metrics: [] })).toThrow(
      'configuration version 1 cannot be read: metrics: expected at least 1',
    );
  });
});

describe('the freeze terms of a streak', () => {
  const plain = withStreak('{ frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }');
  const withFreezes = (max: number) =>
    withStreak(
      `{ frequency: daily, conditions: [{ metric: runs, threshold: 1 }], freezes: { initial: 1, max: ${max} } }`,
    );

  it.each([
    ['the first version', [withFreezes(2)], -Infinity],
    ['the same terms again', [withFreezes(2), withFreezes(2)], -Infinity],
    ['terms that come later', [plain, withFreezes(2)], 2 * DAY],
    ['changed terms', [withFreezes(2), withFreezes(3), withFreezes(3)], 2 * DAY],
    ['terms that return', [withFreezes(2), plain, withFreezes(2)], 3 * DAY],
  ])('apply since the expected publication, given %s', (_, documents, since) => {
    expect(history(...documents).current.streak?.freezes?.since).toBe(since);
  });

  it('include those of earlier versions, without the versions that changed nothing', () => {
    const documents = [withFreezes(2), withFreezes(2), plain, withStreak(''), withFreezes(3)];
    const terms = history(...documents).current.streak?.freezeTerms?.map(({ since, freezes }) => [since, freezes?.max]);
    expect(terms).toEqual([
      [-Infinity, 2],
      [3 * DAY, undefined],
      [5 * DAY, 3],
    ]);
  });

  it('are those of the later of two versions published at the same instant', () => {
    const together = [withFreezes(2), withFreezes(3), withFreezes(4)].map((document, index) => ({
      version: index + 1,
      document,
      publishedAt: DAY,
    }));
    const { streak } = compileHistory('default', together).current;
    expect(streak?.freezes?.max).toBe(4);
    expect(streak?.freezeTerms?.map(({ freezes }) => freezes?.max)).toEqual([2, 4]);
  });
});

describe('the generation of a streak', () => {
  const daily = withStreak('{ frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }');
  const harder = withStreak('{ frequency: daily, mode: any, conditions: [{ metric: runs, threshold: 5 }] }');
  const weekly = withStreak('{ frequency: weekly, conditions: [{ metric: runs, threshold: 1 }] }');
  const sunday = withStreak('{ frequency: weekly, weekStart: sunday, conditions: [{ metric: runs, threshold: 1 }] }');
  const none = withStreak('');

  it.each([
    ['the first version', [daily], 1],
    ['changed conditions', [daily, harder], 1],
    ['a changed frequency', [daily, weekly, weekly], 2],
    ['a changed start of the week', [weekly, weekly, sunday], 3],
    ['a change back', [daily, weekly, daily], 3],
    ['a streak introduced later', [none, daily], 2],
    ['a streak taken away and brought back', [daily, none, daily], 3],
  ])('is counted up to the newest version, given %s', (_, documents, generation) => {
    expect(history(...documents).current.streak?.generation).toBe(generation);
  });
});
