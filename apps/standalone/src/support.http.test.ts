import type { CompletionPage, LevelUserPage, Problem, UserOverview, UserPage } from '@laurel/schemas';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CLOCK = createClock({ type: 'frozen', at: Date.parse('2026-03-02T20:00:00Z') });

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }], freezes: { initial: 2, max: 5, earnEvery: 7, earn: 1 } }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }]
points:
  - key: xp
    name: XP
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }]
    levels: [{ key: a, name: A, points: 10 }, { key: b, name: B, points: 50 }]
`;

describe('the support API', () => {
  let database: TestDatabase;
  let served: Served;
  const close = async () => {
    await served.close();
    await database.close();
  };
  const start = async () => {
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION, CLOCK);
  };
  /** For a test that needs a service without the events of others. */
  const startAgain = async () => {
    await close();
    await start();
  };
  beforeAll(start);
  afterAll(close);

  const ask = askOf(() => served);

  const record = async (user: object, value: number, metric = 'lessons') =>
    expect((await ask(`/v1/metrics/${metric}/event`, { user, value })).status).toBe(201);

  /** All ids that a list shows, page by page; `between` runs after each page. */
  async function idsIn(query: string, between: () => Promise<void> = () => Promise.resolve()) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { answer }: { answer: UserPage } = await ask(`/admin/v1/users?${query}${cursor && `&cursor=${cursor}`}`);
      ids.push(...answer.users.map(({ id }) => id));
      cursor = answer.next;
      await between();
    }
    return ids;
  }

  describe('for users by id', () => {
    const IDS = ['B', 'a', 'ab', 'ab%', 'ab/c', 'b', 'Ä'];
    const begin = async () => {
      await startAgain();
      for (const id of IDS.toReversed()) await record({ id, name: `Name of ${id}` }, 1);
    };
    beforeAll(begin);

    it.each([1, 2, 3, 40])('lists each user once in pages of %d, with the profiles', async (limit) => {
      expect(await idsIn(`limit=${limit}`)).toEqual(IDS);
      expect(await idsIn(`limit=${limit}&prefix=ab`)).toEqual(['ab', 'ab%', 'ab/c']);
      const { answer } = await ask<UserPage>('/admin/v1/users?prefix=%C3%84');
      expect(answer).toEqual({ users: [expect.objectContaining({ id: 'Ä', name: 'Name of Ä' })], next: null });
      expect(answer.users).toEqual([(await ask('/v1/users/%C3%84')).answer]);
    });

    it('omits users of the directory without events', async () => {
      await served.service.directory.assign('default', 'aa');
      expect(await idsIn('limit=1')).toEqual(IDS);
    });

    it.each([
      ['limit=0', ['limit']],
      ['limit=41', ['limit']],
      ['limit=ten&cursor=x', ['limit', 'cursor']],
      ['cursor=', ['cursor']],
      ['cursor=WyJ1c2VycyJd', ['cursor']],
      ['cursor=WyJ1c2VycyIsN10', ['cursor']],
      ['cursor=WyJldmVudHMiLCJhIl0', ['cursor']],
      ['limit=1&limit=2', ['limit']],
      ['cursor=a&cursor=b', ['cursor']],
      ['prefix=a&prefix=b', ['prefix']],
      [`prefix=${'x'.repeat(256)}`, ['prefix']],
      ['prefix=%00', ['prefix']],
    ])('refuses %s and names the invalid parameters', async (query, paths) => {
      const { status, answer } = await ask<Problem>(`/admin/v1/users?${query}`);
      expect([status, answer.code, answer.errors?.map(({ path }) => path)]).toEqual([422, 'invalid_request', paths]);
    });

    it.each([
      ['prefix=a&prefix=b', 'must be given once'],
      [`prefix=${'x'.repeat(256)}`, 'must have at most 255 characters'],
      ['prefix=a%00', 'must hold neither NUL nor a lone surrogate'],
    ])('says what is wrong with %s', async (query, message) => {
      const { answer } = await ask<Problem>(`/admin/v1/users?${query}`);
      expect(answer.errors).toEqual([{ path: 'prefix', message }]);
    });

    it('lists no user twice while new ones arrive, and includes new ones behind the page', async () => {
      await begin();
      const coming = ['A', 'aa', 'c', 'd'];
      const ids = await idsIn('limit=2', async () => {
        const id = coming.shift();
        if (id !== undefined) await record({ id }, 1);
      });
      expect(ids).toEqual(['B', 'a', 'ab', 'ab%', 'ab/c', 'b', 'c', 'Ä']);
    });
  });

  describe('for one user', () => {
    beforeAll(startAgain);

    it('shows the profile, totals, streak, achievements and points', async () => {
      await record({ id: 'a/b', name: 'Ada', tz: 'Europe/Berlin', attributes: { plan: 'pro' } }, 3);
      await record({ id: 'a/b' }, 2.5, 'words');
      const { status, answer } = await ask<UserOverview>('/admin/v1/users/a%2Fb');
      expect([status, answer]).toEqual([
        200,
        {
          ...(await ask<object>('/v1/users/a%2Fb')).answer,
          metrics: [
            { key: 'lessons', total: 3 },
            { key: 'words', total: 2.5 },
          ],
          streak: { length: 1, expires: '2026-03-03', freezes: 2 },
          achievements: [{ key: 'first', achievedAt: '2026-03-02T20:00:00.000Z' }],
          points: [{ pointsSystem: 'xp', system: 'xp', total: 30, level: 'a' }],
        },
      ]);
    });

    it.each(['nobody', '%00', 'x'.repeat(256)])('answers 404 for an unknown user: %s', async (id) => {
      const { status, answer } = await ask<Problem>(`/admin/v1/users/${id}`);
      expect([status, answer.code]).toEqual([404, 'unknown_user']);
    });
  });

  describe('for users by e-mail and name', () => {
    const found = async (query: string) => idsIn(query);
    const NAMES: readonly (readonly [string, string])[] = [
      ['u1', 'Ada Lovelace'],
      ['u2', 'ada  ADAMS'],
      ['u3', 'Élise Ng'],
      ['u4', '100% _real_'],
      ['u5', '1000 real'],
    ];
    const begin = async () => {
      await startAgain();
      for (const [id, name] of NAMES.slice(0, 3)) await record({ id, name, email: `${id}@Example.org` }, 1);
      await served.service.userSearch.turn(true);
      for (const [id, name] of NAMES.slice(3)) await record({ id, name }, 1);
    };
    beforeAll(begin);

    it.each([
      ['name=ada', ['u2', 'u1']],
      ['name=ADA%20a', ['u2']],
      ['name=lovel', ['u1']],
      ['name=%C3%A9li', ['u3']],
      ['name=eLI', ['u3']],
      ['name=%20ng%20', ['u3']],
      ['name=ovel', []],
      ['name=%25', []],
      ['name=100%25', ['u4']],
      ['name=_', ['u4']],
      ['name=real', ['u5']],
      ['email=U1%40example.ORG', ['u1']],
      ['email=u1%40example', []],
    ])('finds users by %s, recorded before or after the index was switched on', async (query, ids) => {
      for (const limit of [1, 20]) expect(await found(`${query}&limit=${limit}`)).toEqual(ids);
    });

    it.each([
      ['name=', ['name']],
      ['name=%20', ['name']],
      [`name=${'x'.repeat(101)}`, ['name']],
      ['name=a&email=b', ['name']],
      ['email=b&prefix=a', ['prefix']],
      ['name=a&limit=21', ['limit']],
      ['name=a&cursor=x', ['cursor']],
    ])('says what is wrong with %s', async (query, paths) => {
      const { status, answer } = await ask<Problem>(`/admin/v1/users?${query}`);
      expect([status, [...new Set(answer.errors?.map(({ path }) => path))]]).toEqual([422, paths]);
    });

    it('finds the longest addresses page by page, and long names by their beginning', async () => {
      const email = `${'a'.repeat(308)}@example.org`;
      for (const id of ['l1', 'l2']) await record({ id, name: 'n'.repeat(120), email }, 1);
      for (const limit of [1, 20])
        expect((await found(`email=${encodeURIComponent(email)}&limit=${limit}`)).toSorted()).toEqual(['l1', 'l2']);
      expect(await found(`email=${'a'.repeat(100)}`)).toEqual([]);
      expect((await found(`name=${'n'.repeat(100)}`)).toSorted()).toEqual(['l1', 'l2']);
    });

    it('follows changed profiles and rebuilds', async () => {
      await begin();
      await record({ id: 'u1', name: 'Countess', email: 'new@example.org' }, 1);
      expect([await found('name=lovelace'), await found('email=u1%40example.org')]).toEqual([[], []]);
      expect([await found('name=count'), await found('email=new%40example.org')]).toEqual([['u1'], ['u1']]);
      await served.service.engine.rebuild([]);
      expect((await ask<Problem>('/admin/v1/users?name=count')).answer.errors?.[0]?.message).toContain('=on');
      await served.service.userSearch.turn(true);
      expect(await found('name=count')).toEqual(['u1']);
    });

    it('builds the same index from the user states, from the start or where it stopped', async () => {
      await begin();
      const entries = () => database.sql.query('select * from user_search order by account, kind, term, subject', []);
      const kept = await entries();
      await database.sql.query('delete from user_search', []);
      await database.sql.query("update user_search_progress set account = '', subject = 0, is_built = false", []);
      const { answer } = await ask<Problem>('/admin/v1/users?name=ada');
      expect(answer.errors).toEqual([{ path: 'name', message: expect.stringContaining('being built') }]);
      await served.service.userSearch.turn(true);
      expect(await entries()).toEqual(kept);
      await served.service.userSearch.turn(true);
      expect(await entries()).toEqual(kept);
    });

    it('removes the index when it is switched off, and names the setting', async () => {
      await begin();
      await served.service.userSearch.turn(false);
      await served.service.userSearch.turn(false);
      const left = await database.sql.query(
        `select proname::text as name from pg_proc where proname like 'user\\_search%' union all
         select relname::text from pg_class where relname like 'user\\_search%' union all
         select tgname::text from pg_trigger where tgname like 'user\\_search%'`,
        [],
      );
      expect(left).toEqual([]);
      const { status, answer } = await ask<Problem>('/admin/v1/users?email=ada');
      expect([status, answer.errors]).toEqual([
        422,
        [{ path: 'email', message: expect.stringContaining('LAUREL_USER_SEARCH=on') }],
      ]);
      await record({ id: 'u1', name: 'Nobody' }, 1);
    });
  });

  describe('for the completions of an achievement', () => {
    const LIST = '/admin/v1/achievements/first/completions';

    /** All completions by page; `between` runs after each page. */
    async function completed(limit: number, between: () => Promise<unknown> = () => Promise.resolve()) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const { answer }: { answer: CompletionPage } = await ask(`${LIST}?${query}`);
        found.push(...answer.completions.map(({ userId, achievedAt }) => `${achievedAt.slice(0, 10)} ${userId}`));
        cursor = answer.next;
        await between();
      }
      return found;
    }

    const imported = async (id: string, timestamp: string) => {
      const line = { metric: 'lessons', user: { id }, value: 1, timestamp };
      expect((await ask('/admin/v1/metrics/events', { events: [line] })).status).toBe(200);
    };

    it('answers 404 for an unknown achievement', async () => {
      const { status, answer } = await ask<Problem>('/admin/v1/achievements/frist/completions');
      expect([status, answer.code, answer.error]).toEqual([
        404,
        'unknown_achievement',
        expect.stringContaining('first'),
      ]);
    });

    it.each(['x', 'WyJ1c2VycyIsImEiXQ', Buffer.from('["completions of first",1e300,1]').toString('base64url')])(
      'refuses the cursor %s',
      async (cursor) => {
        const { status, answer } = await ask<Problem>(`${LIST}?limit=0&cursor=${cursor}`);
        expect([status, answer.errors?.map(({ path }) => path)]).toEqual([422, ['limit', 'cursor']]);
      },
    );

    it.each([1, 2, 40])('lists the newest first in pages of %d, each once, while others complete it', async (limit) => {
      await startAgain();
      await imported('bea', '2026-02-03T00:00:00Z');
      await imported('ada', '2026-02-01T00:00:00Z');
      await imported('eve', '2026-02-02T00:00:00Z');
      await record({ id: 'zoe' }, 1, 'words');
      const expected = ['2026-02-03 bea', '2026-02-02 eve', '2026-02-01 ada'];
      let number = 0;
      expect(await completed(limit, () => imported(`new ${number++}`, '2026-02-04T00:00:00Z'))).toEqual(expected);
    });

    it('separates users who completed it at the same instant and omits forgotten users', async () => {
      await startAgain();
      const ids = ['ada', 'bea', 'eve', 'zoe'];
      for (const id of ids) await imported(id, '2026-02-01T00:00:00Z');
      expect((await completed(1)).sort()).toEqual(ids.map((id) => `2026-02-01 ${id}`));
      await database.sql.query("delete from subjects where user_id = 'eve'", []);
      expect((await completed(1)).sort()).toEqual(['ada', 'bea', 'zoe'].map((id) => `2026-02-01 ${id}`));
    });
  });

  describe('for the users on a level', () => {
    const LIST = '/admin/v1/points/xp/levels/a/users';

    /** All of them by page; `between` runs after each page. */
    async function onLevel(limit: number, between: () => Promise<unknown> = () => Promise.resolve()) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const { answer }: { answer: LevelUserPage } = await ask(`${LIST}?${query}`);
        found.push(...answer.users.map(({ userId, reachedAt }) => `${reachedAt.slice(0, 10)} ${userId}`));
        cursor = answer.next;
        await between();
      }
      return found;
    }

    const imported = async (id: string, timestamp: string, value = 1) => {
      const line = { metric: 'lessons', user: { id }, value, timestamp };
      expect((await ask('/admin/v1/metrics/events', { events: [line] })).status).toBe(200);
    };

    it.each([
      ['px/levels/a', 'unknown_points_system', 'xp'],
      ['xp/levels/c', 'unknown_level', 'c'],
      ['xp/levels/constructor', 'unknown_level', 'constructor'],
    ])('answers 404 for an unknown system or level: %s', async (path, code, named) => {
      const { status, answer } = await ask<Problem>(`/admin/v1/points/${path}/users`);
      expect([status, answer.code, answer.error]).toEqual([404, code, expect.stringContaining(named)]);
    });

    it('refuses the cursor of another list', async () => {
      const cursor = Buffer.from('["level a of other",1,1]').toString('base64url');
      const { status, answer } = await ask<Problem>(`${LIST}?limit=0&cursor=${cursor}`);
      expect([status, answer.errors?.map(({ path }) => path)]).toEqual([422, ['limit', 'cursor']]);
    });

    it.each([1, 2, 40])('lists the newest first in pages of %d, each once, while others reach it', async (limit) => {
      await startAgain();
      await imported('bea', '2026-02-03T00:00:00Z');
      await imported('ada', '2026-02-01T00:00:00Z');
      await imported('ada', '2026-02-02T00:00:00Z');
      await imported('eve', '2026-02-02T00:00:00Z');
      await record({ id: 'zoe' }, 1, 'words');
      const expected = ['2026-02-03 bea', '2026-02-02 eve', '2026-02-01 ada'];
      let number = 0;
      expect(await onLevel(limit, () => imported(`new ${number++}`, '2026-02-04T00:00:00Z'))).toEqual(expected);
    });

    it('separates users who reached it at the same instant and omits forgotten users', async () => {
      await startAgain();
      const ids = ['ada', 'bea', 'eve', 'zoe'];
      for (const id of ids) await imported(id, '2026-02-01T00:00:00Z');
      expect((await onLevel(1)).sort()).toEqual(ids.map((id) => `2026-02-01 ${id}`));
      await database.sql.query("delete from subjects where user_id = 'eve'", []);
      expect((await onLevel(1)).sort()).toEqual(['ada', 'bea', 'zoe'].map((id) => `2026-02-01 ${id}`));
    });

    it('loses users whom a grant takes below the level and regains users who return', async () => {
      await startAgain();
      await imported('ada', '2026-02-01T00:00:00Z');
      await imported('bea', '2026-02-02T00:00:00Z');
      expect((await ask('/admin/v1/imports/finish', {})).status).toBe(200);
      const grant = { system: 'xp', reason: 'by hand' };
      expect((await ask('/admin/v1/users/ada/grants/points', { ...grant, amount: -10 })).status).toBe(201);
      expect(await onLevel(40)).toEqual(['2026-02-02 bea']);
      expect((await ask('/admin/v1/users/ada/grants/points', { ...grant, amount: 10 })).status).toBe(201);
      expect(await onLevel(40)).toEqual(['2026-03-02 ada', '2026-02-02 bea']);
    });
  });

  it.each([
    ['/admin/v1/users', 403, 200],
    ['/admin/v1/users/nobody', 404, 404],
    ['/admin/v1/achievements/first/completions', 403, 200],
    ['/admin/v1/points/xp/levels/a/users', 403, 200],
  ])('admits keys with the scope support to lists, and read keys to single users: %s', async (path, read, support) => {
    const statusWith = async (scope: string) => {
      const { answer } = await ask<{ key: string }>('/admin/v1/keys', { label: 'desk', scopes: [scope] });
      return (await fetch(`${served.baseUrl}${path}`, { headers: { 'x-api-key': answer.key } })).status;
    };
    expect([await statusWith('read'), await statusWith('support')]).toEqual([read, support]);
  });
});
