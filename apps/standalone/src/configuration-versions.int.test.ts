import { openServiceDatabase } from '@laurel/testing/service-database';
import { DAY, HOUR, openStory, type VersionStory } from './testing/version-story.ts';

/** Tells a story on a database of its own. */
async function tell(configuration: string, tale: (story: VersionStory) => Promise<void>): Promise<void> {
  const database = await openServiceDatabase();
  const story = await openStory(database.connection, configuration);
  try {
    await tale(story);
  } finally {
    await story.close();
    await database.close();
  }
}

/** A configuration of two metrics and these parts, a line each. */
const documentWith = (...parts: readonly string[]) =>
  ['version: 1', 'metrics: [{ key: runs, name: Runs }, { key: laps, name: Laps }]', ...parts].join('\n');

const xp = (triggers: string, more = '') => `points: [{ key: xp, name: XP, triggers: [${triggers}], ${more} }]`;
const board = (fields: string, key = 'top') =>
  `leaderboards: [{ key: ${key}, name: Top, start: 2026-01-01, ${fields} }]`;
const byRuns = board('rankBy: metric, metric: runs');

const points = async (story: VersionStory, user: string) => (await story.read(`/v1/users/${user}/points/xp`)).total;
const ranking = async (story: VersionStory, key = 'top') =>
  (await story.read(`/v1/leaderboards/${key}`)).rankings.map((one: { userId: string; value: number }) => [
    one.userId,
    one.value,
  ]);
const completed = async (story: VersionStory, user: string) =>
  (await story.read(`/v1/users/${user}/achievements`)).map(({ name }: { name: string }) => name);
const streak = async (story: VersionStory, user: string) => (await story.read(`/v1/users/${user}/streak`)).length;
const paths = (plan: { changes: { path: string }[] }) => plan.changes.map(({ path }) => path);

describe('a version published while the service runs', () => {
  const before = documentWith(xp('{ type: user_creation, points: 5 }'));
  const after = documentWith(
    xp('{ type: user_creation, points: 5 }, { type: metric, metric: runs, threshold: 2, points: 10 }'),
  );

  it('takes effect for later events, once', () =>
    tell(before, async (story) => {
      expect((await story.event('ada', 'runs', 4)).points.xp).toMatchObject({ total: 5, added: 5 });
      expect(await story.plan(after)).toMatchObject({
        current: 1,
        next: 2,
        changes: [{ kind: 'added', path: 'points.xp.triggers["10 for every 2 runs"]' }],
      });
      const published = await story.publish(after);
      expect(published).toMatchObject({ status: 201, json: { version: 2, publishedAt: '2026-03-10T08:00:00.000Z' } });

      expect((await story.event('ada', 'runs')).points).toEqual({});
      expect((await story.event('ada', 'runs')).points.xp).toMatchObject({ total: 15, added: 10 });

      expect(await story.publish(after)).toEqual({ status: 200, json: published.json });
      expect(await story.plan(after)).toMatchObject({ current: 2, next: 2, changes: [] });
      expect(await story.read('/admin/v1/configurations')).toMatchObject([
        { version: 1, current: false },
        { version: 2, current: true },
      ]);
      expect(await story.read('/admin/v1/configurations/current')).toEqual(published.json);
    }));

  it('creates one version when it is sent many times at once among events', () =>
    tell(before, async (story) => {
      await story.event('ada', 'runs');
      const asked = Array.from({ length: 4 }, (_, index) => [
        story.publish(after),
        story.event(`user-${index}`, 'runs', 2),
      ]).flat();
      await Promise.all(asked);
      expect(await story.read('/admin/v1/configurations')).toMatchObject([{ version: 1 }, { version: 2 }]);
    }));

  it('replaces the current version while no event is recorded, as its plan announces', () =>
    tell(before, async (story) => {
      expect(await story.plan(after)).toMatchObject({ current: 1, next: 1 });
      expect(await story.publish(after)).toMatchObject({ status: 201, json: { version: 1 } });
      expect((await story.event('ada', 'runs', 2)).points.xp).toMatchObject({ total: 15 });
      expect(await story.read('/admin/v1/configurations')).toMatchObject([{ version: 1, current: true }]);
      expect(await story.plan(before)).toMatchObject({ current: 1, next: 2 });
    }));

  it('is refused when its plan is stale, before and after the first event', () =>
    tell(before, async (story) => {
      const other = documentWith(board('rankBy: streak'));
      const document = { version: 1, metrics: [{ key: 'runs', name: 'Runs' }] };
      const publish = (plan: string) => story.ask('POST', '/admin/v1/configurations', { document, plan });
      const planned = async () =>
        (await story.ask('POST', '/admin/v1/configurations/plan', { document })).json as { readonly id: string };
      const early = await planned();
      await story.publish(other);
      expect(await publish(early.id)).toMatchObject({ status: 422, json: { code: 'stale_plan' } });
      await story.event('ada', 'runs');
      const late = await planned();
      await story.publish(after);
      expect(await publish(late.id)).toMatchObject({ status: 422, json: { code: 'stale_plan' } });
      await story.restart(after);
      expect(await publish((await planned()).id)).toMatchObject({ status: 201, json: { version: 3 } });
    }));

  it('stays in force after a restart unless the file in LAUREL_CONFIG differs', () =>
    tell(before, async (story) => {
      await story.event('ada', 'runs');
      await story.publish(after);
      await story.restart(after);
      expect(await story.read('/admin/v1/configurations/current')).toMatchObject({ version: 2 });
      await story.restart(before);
      expect(await story.read('/admin/v1/configurations/current')).toMatchObject({ version: 3 });
    }));

  it('is refused as a whole when any part of it is invalid', () =>
    tell(before, async (story) => {
      const document = { version: 1, metrics: [{ key: 'runs', name: 'Runs' }], points: [{ key: 'xp' }] };
      for (const path of ['', '/plan']) {
        const { status, json } = await story.ask('POST', `/admin/v1/configurations${path}`, { document });
        expect(status).toBe(422);
        expect(json.errors.map(({ path }: { path: string }) => path)).toEqual([
          'document.points[0].name',
          'document.points[0].triggers',
        ]);
      }
      expect(await story.plan(before)).toMatchObject({ changes: [] });
    }));
});

describe('a publication that changes metrics', () => {
  it('refuses events of a removed metric with 404 and continues its total when it is added again', () =>
    tell(documentWith(), async (story) => {
      await story.event('ada', 'laps', 3);
      await story.publish('version: 1\nmetrics: [{ key: runs, name: Runs }]');
      const refused = await story.ask('POST', '/v1/metrics/laps/event', { user: { id: 'ada' }, value: 1 });
      expect(refused).toMatchObject({ status: 404, json: { code: 'unknown_metric' } });
      await story.publish(documentWith());
      expect((await story.event('ada', 'laps')).total).toBe(4);
    }));
});

describe('a publication that changes the streak', () => {
  const kept = (fields: string) => `streak: { ${fields} }`;
  const runs = (threshold: number) => `conditions: [{ metric: runs, threshold: ${threshold} }]`;
  const both = 'conditions: [{ metric: runs, threshold: 1 }, { metric: laps, threshold: 1 }]';

  it('completes a period that already reached a lowered threshold at the next event of any metric', () =>
    tell(documentWith(kept(`frequency: daily, ${runs(5)}`)), async (story) => {
      await story.event('ada', 'runs', 3);
      await story.publish(documentWith(kept(`frequency: daily, ${runs(3)}`)));
      expect(await streak(story, 'ada')).toBe(0);
      expect((await story.event('ada', 'laps')).currentStreak).toMatchObject({ length: 1, extended: true });
      await story.publish(documentWith(kept(`frequency: daily, ${runs(9)}`)));
      expect((await story.event('ada', 'laps')).currentStreak).toMatchObject({ length: 1, extended: false });
    }));

  it('requires a new condition from the publication on and keeps periods that were already met', () =>
    tell(documentWith(kept(`frequency: weekly, ${runs(1)}`)), async (story) => {
      await story.event('ada', 'runs');
      await story.event('bob', 'laps');
      await story.publish(documentWith(kept(`frequency: weekly, ${both}`)));
      expect(await streak(story, 'ada')).toBe(1);
      expect((await story.event('bob', 'runs')).currentStreak).toMatchObject({ length: 0 });
      expect((await story.event('bob', 'laps')).currentStreak).toMatchObject({ length: 1 });
    }));

  it('counts the progress so far when one of several conditions becomes sufficient', () =>
    tell(documentWith(kept(`frequency: daily, ${both}`)), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(kept(`frequency: daily, mode: any, ${both}`)));
      expect((await story.event('ada', 'runs')).currentStreak).toMatchObject({ length: 1, extended: true });
    }));

  it('restarts all streaks when the frequency or the first day of the week changes', () =>
    tell(documentWith(kept(`frequency: daily, ${runs(2)}`), board('rankBy: streak')), async (story) => {
      await story.event('ada', 'runs', 2);
      expect(await ranking(story)).toEqual([['ada', 1]]);
      await story.publish(
        documentWith(kept(`frequency: daily, weekStart: sunday, ${runs(2)}`), board('rankBy: streak')),
      );
      expect(await streak(story, 'ada')).toBe(0);
      await story.pass(0);
      expect(await ranking(story)).toEqual([]);
      expect((await story.event('ada', 'runs')).currentStreak).toMatchObject({ length: 0 });
      const { streakHistory } = await story.read('/v1/users/ada/streak?historyPeriods=1');
      expect(streakHistory).toMatchObject([{ length: 0 }]);
    }));

  it('shows streak 0 and empties streak boards while the streak is removed, then starts from 0', () =>
    tell(documentWith(kept(`frequency: daily, ${runs(1)}`), board('rankBy: streak')), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(board('rankBy: streak')));
      expect(await streak(story, 'ada')).toBe(0);
      await story.pass(0);
      expect(await ranking(story)).toEqual([]);
      await story.publish(documentWith(kept(`frequency: daily, ${runs(1)}`), board('rankBy: streak')));
      expect(await streak(story, 'ada')).toBe(0);
      expect((await story.event('ada', 'runs')).currentStreak).toMatchObject({ length: 1 });
    }));

  it('gives existing users no initial freezes and removes none above a lowered maximum', () =>
    tell(documentWith(kept(`frequency: daily, ${runs(1)}`)), async (story) => {
      const freezes = (fields: string) => documentWith(kept(`frequency: daily, ${runs(1)}, freezes: { ${fields} }`));
      const held = async (user: string) => (await story.read(`/v1/users/${user}/streak`)).freezes;
      await story.event('ada', 'runs');
      await story.pass(HOUR);
      await story.publish(freezes('initial: 2, max: 3, earnEvery: 1, earn: 1'));
      await story.event('bob', 'runs');
      expect([await held('ada'), await held('bob')]).toEqual([0, 2]);
      await story.pass(DAY + 1);
      expect([await held('ada'), await held('bob')]).toEqual([1, 3]);
      await story.publish(freezes('initial: 0, max: 2, earnEvery: 1, earn: 1'));
      await story.pass(DAY / 2);
      expect(await held('bob')).toBe(3);
      await story.publish(documentWith(kept(`frequency: daily, ${runs(1)}`)));
      await story.pass(2 * DAY);
      expect(await streak(story, 'bob')).toBe(0);
    }));
});

describe('a publication that changes achievements', () => {
  const all = (...list: readonly string[]) => `achievements: [${list.join(', ')}]`;
  const three = '{ key: three, name: Three, trigger: { type: metric, metric: runs, value: 3 } }';
  const one = '{ key: one, name: One, trigger: { type: metric, metric: runs, value: 1 } }';
  const pair = '{ key: pair, name: Pair, trigger: { type: achievement, achievements: [one, three] } }';

  it('completes a new achievement at the next event of its metric and counts earlier events', () =>
    tell(documentWith(all(one)), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(all(one, three)));
      expect((await story.event('ada', 'laps')).achievements).toEqual([]);
      expect((await story.event('ada', 'runs', 0)).achievements).toMatchObject([{ name: 'Three' }]);
    }));

  it('completes a new achievement of achievements at the next event of any metric', () =>
    tell(documentWith(all(one, three)), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(all(one, three, pair)));
      expect((await story.event('ada', 'laps')).achievements).toMatchObject([{ name: 'Pair' }]);
    }));

  it('completes a new streak achievement at the next extension that reaches its length', () => {
    const streak = 'streak: { frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }';
    const week = '{ key: steady, name: Steady, trigger: { type: streak, length: 1 } }';
    return tell(documentWith(streak), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(streak, all(week)));
      expect((await story.event('ada', 'runs')).achievements).toEqual([]);
      await story.pass(DAY);
      expect((await story.event('ada', 'runs')).achievements).toMatchObject([{ name: 'Steady' }]);
    });
  });

  it('keeps completions of changed achievements and shows those of re-added achievements again', () =>
    tell(documentWith(all(one)), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(all(one.replace('value: 1', 'value: 9'))));
      expect(await completed(story, 'ada')).toEqual(['One']);
      await story.publish(documentWith());
      expect(await completed(story, 'ada')).toEqual([]);
      await story.publish(documentWith(all(one)));
      expect(await completed(story, 'ada')).toEqual(['One']);
      expect((await story.event('ada', 'runs')).achievements).toEqual([]);
    }));
});

describe('a publication that changes points', () => {
  const metric = (threshold: number, key = '') =>
    `{ ${key} type: metric, metric: runs, threshold: ${threshold}, points: 1 }`;

  it('continues the count of a changed trigger that has a key, and restarts the count without one', () =>
    tell(documentWith(xp(metric(3, 'key: t,'))), async (story) => {
      await story.event('ada', 'runs', 5);
      const keyed = documentWith(xp(metric(4, 'key: t,')));
      expect(paths(await story.plan(keyed))).toEqual(['points.xp.triggers.t.threshold']);
      await story.publish(keyed);
      expect((await story.event('ada', 'runs', 2)).points).toEqual({});
      expect((await story.event('ada', 'runs', 1)).points.xp).toMatchObject({ total: 2 });
      const other = documentWith(xp(metric(4)));
      expect(paths(await story.plan(other))).toEqual([
        'points.xp.triggers["1 for every 4 runs"]',
        'points.xp.triggers.t',
      ]);
      await story.publish(other);
      expect((await story.event('ada', 'runs', 3)).points).toEqual({});
      await story.publish(keyed);
      const back = await story.plan(other);
      expect(back.changes[0].effect).toContain(
        'It was in version 3, and continues from what it had counted of runs then',
      );
      await story.publish(other);
      expect((await story.event('ada', 'runs', 1)).points.xp).toMatchObject({ total: 3 });
    }));

  it('keeps the count of a keyed trigger that moves to another metric', () =>
    tell(documentWith(xp(metric(3, 'key: t,'))), async (story) => {
      await story.event('ada', 'runs', 2);
      await story.publish(documentWith(xp(metric(3, 'key: t,').replace('runs', 'laps'))));
      expect((await story.event('ada', 'runs', 5)).points).toEqual({});
      expect((await story.event('ada', 'laps', 1)).points.xp).toMatchObject({ total: 1 });
    }));

  it('removes no points for a lowered cap and never awards later what the cap cut off', () =>
    tell(documentWith(xp(metric(1))), async (story) => {
      await story.event('ada', 'runs', 10);
      await story.publish(documentWith(xp(metric(1), 'maxPoints: 5')));
      expect(await points(story, 'ada')).toBe(10);
      expect((await story.event('ada', 'runs', 2)).points.xp).toMatchObject({ total: 10, added: 0 });
      await story.publish(documentWith(xp(metric(1))));
      expect((await story.event('ada', 'runs', 1)).points.xp).toMatchObject({ total: 11, added: 1 });
    }));

  it('awards nothing for users created and achievements completed before the publication', () => {
    const done = 'achievements: [{ key: one, name: One, trigger: { type: metric, metric: runs, value: 1 } }]';
    const both = '{ type: user_creation, points: 5 }, { type: achievement, achievement: one, points: 7 }';
    return tell(documentWith(done), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(done, xp(both)));
      await story.event('ada', 'runs');
      expect(await points(story, 'ada')).toBe(0);
      expect((await story.event('bob', 'runs')).points.xp.total).toBe(12);
    });
  });

  it('continues the totals of a points system that is removed and added again', () =>
    tell(documentWith(xp(metric(1))), async (story) => {
      await story.event('ada', 'runs', 3);
      await story.publish(documentWith());
      expect((await story.ask('GET', '/v1/users/ada/points/xp')).status).toBe(404);
      await story.event('ada', 'runs', 3);
      await story.publish(documentWith(xp(metric(1))));
      expect(await points(story, 'ada')).toBe(3);
      expect((await story.event('ada', 'runs')).points.xp.total).toBe(4);
    }));

  it('applies new levels to reads at once but does not announce them in event answers', () =>
    tell(documentWith(xp(metric(1))), async (story) => {
      await story.event('ada', 'runs', 3);
      const levels = (at: number) => documentWith(xp(metric(1), `levels: [{ key: a, name: A, points: ${at} }]`));
      await story.publish(levels(2));
      expect((await story.read('/v1/users/ada/points/xp')).level).toMatchObject({ key: 'a' });
      expect((await story.event('ada', 'runs')).points.xp).not.toHaveProperty('level');
      await story.publish(levels(9));
      expect((await story.read('/v1/users/ada/points/xp')).level).toBeNull();
    }));

  it('accrues a time trigger from its publication on, in a changed rhythm, and up to its removal', () => {
    const every = (interval: number, points: number, more = '') =>
      documentWith(xp(`{ key: t, type: time, unit: hour, interval: ${interval}, points: ${points}${more} }`));
    return tell(documentWith(), async (story) => {
      await story.event('ada', 'runs');
      await story.pass(10 * HOUR + 1);
      await story.publish(every(1, 1));
      expect(await points(story, 'ada')).toBe(0);
      await story.pass(2 * HOUR);
      expect(await points(story, 'ada')).toBe(2);
      await story.publish(every(5, 100));
      await story.pass(2 * HOUR);
      expect(await points(story, 'ada')).toBe(2);
      await story.pass(HOUR);
      expect(await points(story, 'ada')).toBe(102);
      await story.publish(every(5, 100, ', activeFrom: 2026-03-11T08:00:00Z'));
      await story.pass(9 * HOUR - 2);
      expect(await points(story, 'ada')).toBe(102);
      await story.pass(DAY);
      expect(await points(story, 'ada')).toBe(602);
      await story.publish(documentWith(xp('')));
      await story.pass(DAY);
      expect(await points(story, 'ada')).toBe(602);
    });
  });
});

describe('a publication that changes leaderboards', () => {
  it('counts for a new board from the publication on and continues a re-added board', () =>
    tell(documentWith(), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(byRuns));
      expect(await ranking(story)).toEqual([]);
      await story.event('ada', 'runs', 2);
      expect(await ranking(story)).toEqual([['ada', 2]]);
      await story.publish(documentWith());
      expect((await story.ask('GET', '/v1/leaderboards/top')).status).toBe(404);
      await story.event('ada', 'runs', 2);
      await story.publish(documentWith(byRuns));
      expect(await ranking(story)).toEqual([['ada', 2]]);
    }));

  it('keeps the values so far when a board ranks by something else', () =>
    tell(documentWith(byRuns), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(board('rankBy: metric, metric: laps')));
      await story.event('ada', 'runs', 5);
      await story.event('ada', 'laps', 2);
      expect(await ranking(story)).toEqual([['ada', 7]]);
    }));

  it('starts an empty run when the new runs begin on another date', () =>
    tell(documentWith(byRuns), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(board('rankBy: metric, metric: runs, runUnit: month, runInterval: 1')));
      expect(await ranking(story)).toEqual([]);
      expect((await story.read('/v1/leaderboards/top?run=2026-01-15')).rankings).toMatchObject([{ value: 5 }]);
      await story.publish(documentWith(byRuns.replace('2026-01-01', '2026-02-01')));
      expect(await ranking(story)).toEqual([]);
      await story.publish(documentWith(byRuns));
      expect(await ranking(story)).toEqual([['ada', 5]]);
    }));

  it('ignores events after the end of a board and keeps earlier values', () =>
    tell(documentWith(byRuns), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.publish(documentWith(board('rankBy: metric, metric: runs, end: 2026-03-09')));
      await story.event('ada', 'runs', 5);
      expect(await ranking(story)).toEqual([['ada', 5]]);
      await story.publish(documentWith(byRuns));
      await story.event('ada', 'runs', 1);
      expect(await ranking(story)).toEqual([['ada', 6]]);
    }));

  it('shows a value but no rank to users beyond maxParticipants', () =>
    tell(documentWith(byRuns), async (story) => {
      await story.event('ada', 'runs', 5);
      await story.event('bob', 'runs', 4);
      await story.publish(documentWith(board('rankBy: metric, metric: runs, maxParticipants: 1')));
      expect(await ranking(story)).toEqual([['ada', 5]]);
      expect(await story.read('/v1/users/bob/leaderboards/top')).toMatchObject({ rank: null, value: 4 });
      await story.publish(documentWith(byRuns));
      expect(await ranking(story)).toEqual([
        ['ada', 5],
        ['bob', 4],
      ]);
    }));

  it('leaves a new streak board empty until streaks are extended', () => {
    const streak = 'streak: { frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }';
    return tell(documentWith(streak), async (story) => {
      await story.event('ada', 'runs');
      await story.publish(documentWith(streak, board('rankBy: streak')));
      await story.event('ada', 'runs');
      expect(await ranking(story)).toEqual([]);
      await story.pass(DAY);
      await story.event('ada', 'runs');
      expect(await ranking(story)).toEqual([['ada', 2]]);
    });
  });
});
