import { typeNumberOf } from '@laurel/event-store';
import { HELD_MS, openKilledService, until, type KilledService } from '@laurel/testing/faults';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import type { Answer, Json } from '@laurel/testing/http-suite';
import { startProcess } from './testing/standalone-process.ts';

const REASON = 'asked for by letter';

/** Where the process stands when it is killed, and whether the user is erased then. */
type Point = (user: User) => Promise<'erased' | 'untouched'>;

interface User {
  readonly id: string;
  readonly subject: string;
  /** The request; it breaks off. */
  erase(isProxied?: boolean): Promise<void>;
}

describe('an erasure whose process is killed', () => {
  let service: KilledService;

  beforeAll(async () => {
    service = await openKilledService(HISTORY_CONFIGURATION, startProcess);
  });
  afterAll(() => service.close());

  /** Everything that an erasure changes together. */
  async function stored({ subject }: Pick<User, 'subject'>) {
    const { rows } = await service.watcher.query<{
      known: number;
      erasures: number;
      cleared: boolean;
      on_boards: number;
      users: number;
    }>(
      `select (select count(*)::int from subjects where subject = $1) as known,
        (select count(*)::int from events where subject = $1 and type = $2) as erasures,
        (select users ? 'erased' from user_states where subject = $1) as cleared,
        (select count(*)::int from board_standings where subject = $1 and value > 0) as on_boards,
        (select sum(users)::int from user_counts) as users`,
      [subject, typeNumberOf('UserErased')],
    );
    if (!rows[0]) throw new Error('nothing is counted');
    return rows[0];
  }

  const isCommitted = async (user: Pick<User, 'subject'>): Promise<boolean> => (await stored(user)).erasures > 0;

  const POINTS: Readonly<Record<string, Point>> = {
    'before the statement': async (user) => {
      await service.holder.query('begin; lock table metric_months in access exclusive mode');
      const asked = user.erase();
      await service.waiting();
      await service.kill();
      await service.holder.query('rollback');
      await asked;
      return 'untouched';
    },
    'while the statement runs, and the statement is lost': async (user) => {
      await service.holder.query('begin; select from log_head for update');
      const asked = user.erase();
      const pids = await service.waiting();
      await service.kill();
      await service.terminate(pids);
      await service.holder.query('rollback');
      await asked;
      return 'untouched';
    },
    'while the statement runs, and the database goes on': async (user) => {
      await service.holder.query('begin; select from log_head for update');
      const asked = user.erase();
      await service.waiting();
      await service.kill();
      await service.holder.query('rollback');
      await asked;
      await until(() => isCommitted(user));
      return 'erased';
    },
    'after the commit, before it learns of it': async (user) => {
      const held = service.database.holdAnswers((data) => data.includes('commit-taking-batch'), HELD_MS);
      const asked = user.erase();
      await held;
      await until(() => isCommitted(user));
      await service.kill();
      await asked;
      return 'erased';
    },
    'before it answers': async (user) => {
      const held = service.holdAnswers('DELETE');
      const asked = user.erase(true);
      await held;
      await until(async () => (await service.client.send('GET', `/admin/v1/users/${user.id}`)).status === 404);
      await service.kill();
      await asked;
      return 'erased';
    },
  };

  it.each(Object.entries(POINTS))(
    '%s, is complete or has not happened, and a repeated request finishes it',
    async (_, kills) => {
      const id = await live();
      const path = `/admin/v1/users/${id}`;
      const erasing = (query: Readonly<Record<string, string>>): Promise<Answer> =>
        service.client.send('DELETE', `${path}?${new URLSearchParams(query).toString()}`);
      const { previewId } = (await erasing({ preview: 'true' })).json;
      const { rows } = await service.watcher.query<{ subject: string }>(
        'select subject from subjects where user_id = $1',
        [id],
      );
      const query = new URLSearchParams({ previewId, reason: REASON });
      const user: User = {
        id,
        subject: rows[0]?.subject ?? '',
        erase: (isProxied = false) => service.broken('DELETE', `${path}?${query.toString()}`, { isProxied }),
      };
      const before = await stored(user);
      expect(before).toMatchObject({ known: 1, erasures: 0, cleared: false });
      expect(before.on_boards).toBeGreaterThan(0);
      const whole = { known: 0, erasures: 1, cleared: true, on_boards: 0, users: before.users - 1 };
      const digest = await service.client.read('/admin/v1/digest');

      const outcome = await kills(user);
      expect(await stored(user)).toEqual(outcome === 'erased' ? whole : before);
      await service.start();
      expect(await stored(user)).toEqual(outcome === 'erased' ? whole : before);
      if (outcome === 'untouched') expect(await service.client.read('/admin/v1/digest')).toEqual(digest);

      const again = await erasing({ previewId, reason: REASON });
      expect([again.status, again.json.code ?? 'erased']).toEqual(
        outcome === 'erased' ? [404, 'unknown_user'] : [200, 'erased'],
      );
      expect(await stored(user)).toEqual(whole);
      expect((await service.client.send('GET', path)).status).toBe(404);
      expect(await service.verified()).toEqual([]);
      expect((await record(id)).total).toBe(1);
    },
  );

  let users = 0;

  /** Somebody on boards beside others. */
  async function live(): Promise<string> {
    const id = `ada-${++users}`;
    for (const other of [id, 'bob', id]) await record(other);
    return id;
  }

  async function record(id: string): Promise<Json> {
    const body = { user: { id, name: `Name of ${id}` }, value: 1 };
    const { status, json } = await service.client.send('POST', '/v1/metrics/lessons/event', { body });
    expect(status).toBe(201);
    return json;
  }
});
