import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfig } from '@laurel/database';
import { typeNumberOf } from '@laurel/event-store';
import { openTcpProxy, type TcpProxy } from '@laurel/testing/database';
import { startOwnServer, type OwnServer } from '@laurel/testing/faults';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import { type Answer, Client, type Json } from '@laurel/testing/http-suite';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';
const REASON = 'asked for by letter';
/** Longer than anything here takes. */
const HELD_MS = 240_000;

/** Where the process stands when it is killed, and whether the user is erased then. */
type Point = (user: User) => Promise<'erased' | 'untouched'>;

interface User {
  readonly id: string;
  readonly subject: string;
  /** The request; it breaks off. @param url default: of the process itself */
  erase(url?: string): Promise<unknown>;
}

describe('an erasure whose process is killed', () => {
  let folder: string;
  let server: OwnServer;
  let service: StandaloneProcess;
  let http: TcpProxy;
  /** Past the proxy: one that holds locks, and one that looks. */
  let holder: pg.Client;
  let watcher: pg.Client;
  const client = new Client(() => ({ baseUrl: service.url, apiKey: KEY }));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-erasing-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'laurel.yaml'), HISTORY_CONFIGURATION);
    server = await startOwnServer(join(folder, 'postgres'));
    http = await openTcpProxy();
    [holder, watcher] = [1, 2].map(() => new pg.Client(clientConfig(server.connection))) as [pg.Client, pg.Client];
    await Promise.all([holder.connect(), watcher.connect()]);
    service = await start();
  });
  afterAll(async () => {
    service.process.kill('SIGKILL');
    await service.ended;
    await Promise.all([holder.end(), watcher.end(), http.close()]);
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const start = (): Promise<StandaloneProcess> =>
    startProcess({
      LAUREL_DATA_DIR: join(folder, 'data'),
      LAUREL_DATABASE_URL: server.url,
      LAUREL_CONFIG: join(folder, 'laurel.yaml'),
      LAUREL_API_KEY: KEY,
      LAUREL_CLOCK: '2026-03-10T12:00:00Z,frozen',
    });

  const kill = async (): Promise<void> => {
    service.process.kill('SIGKILL');
    await service.ended;
  };

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  /** The backends that wait for what the holder holds. */
  async function waiting(): Promise<readonly number[]> {
    let pids: readonly number[] = [];
    const { rows: own } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    await until(async () => {
      const blocked = 'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
      const { rows } = await watcher.query<{ pid: number }>(blocked, [own[0]?.pid]);
      pids = rows.map(({ pid }) => pid);
      return pids.length > 0;
    });
    return pids;
  }

  /** Everything that an erasure changes together. */
  async function stored({ subject }: Pick<User, 'subject'>) {
    const { rows } = await watcher.query<{
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
      await holder.query('begin; lock table metric_months in access exclusive mode');
      const asked = user.erase();
      await waiting();
      await kill();
      await holder.query('rollback');
      await asked;
      return 'untouched';
    },
    'while it runs, and it is lost': async (user) => {
      await holder.query('begin; select from log_head for update');
      const asked = user.erase();
      const pids = await waiting();
      await kill();
      await watcher.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
      await holder.query('rollback');
      await asked;
      return 'untouched';
    },
    'while it runs, and the database goes on': async (user) => {
      await holder.query('begin; select from log_head for update');
      const asked = user.erase();
      await waiting();
      await kill();
      await holder.query('rollback');
      await asked;
      await until(() => isCommitted(user));
      return 'erased';
    },
    'after the commit, of which it hears nothing': async (user) => {
      const held = server.proxy.holdAnswers((data) => data.includes('commit-taking-batch'), HELD_MS);
      const asked = user.erase();
      await held;
      await until(() => isCommitted(user));
      await kill();
      await asked;
      return 'erased';
    },
    'before its answer, which the caller never gets': async (user) => {
      http.target = { host: '127.0.0.1', port: Number(new URL(service.url).port) };
      const held = http.holdAnswers((data) => data.includes('DELETE '), HELD_MS);
      const asked = user.erase(`http://${http.address}`);
      await held;
      await until(async () => (await client.send('GET', `/admin/v1/users/${user.id}`)).status === 404);
      await kill();
      http.cut();
      await asked;
      return 'erased';
    },
  };

  it.each(Object.entries(POINTS))(
    '%s, is whole or has not been, and a repeated request finishes it',
    async (_, kills) => {
      const id = await live();
      const path = `/admin/v1/users/${id}`;
      const erasing = (query: Readonly<Record<string, string>>): Promise<Answer> =>
        client.send('DELETE', `${path}?${new URLSearchParams(query).toString()}`);
      const { previewId } = (await erasing({ preview: 'true' })).json;
      const { rows } = await watcher.query<{ subject: string }>('select subject from subjects where user_id = $1', [
        id,
      ]);
      const query = new URLSearchParams({ previewId, reason: REASON });
      const user: User = {
        id,
        subject: rows[0]?.subject ?? '',
        erase: (url = service.url) =>
          fetch(`${url}${path}?${query.toString()}`, { method: 'DELETE', headers: { 'x-api-key': KEY } }).then(
            () => Promise.reject(new Error('the erasure was answered')),
            () => undefined,
          ),
      };
      const before = await stored(user);
      expect(before).toMatchObject({ known: 1, erasures: 0, cleared: false });
      expect(before.on_boards).toBeGreaterThan(0);
      const whole = { known: 0, erasures: 1, cleared: true, on_boards: 0, users: before.users - 1 };
      const digest = await client.read('/admin/v1/digest');

      const outcome = await kills(user);
      expect(await stored(user)).toEqual(outcome === 'erased' ? whole : before);
      service = await start();
      expect(await stored(user)).toEqual(outcome === 'erased' ? whole : before);
      if (outcome === 'untouched') expect(await client.read('/admin/v1/digest')).toEqual(digest);

      const again = await erasing({ previewId, reason: REASON });
      expect([again.status, again.json.code ?? 'erased']).toEqual(
        outcome === 'erased' ? [404, 'unknown_user'] : [200, 'erased'],
      );
      expect(await stored(user)).toEqual(whole);
      expect((await client.send('GET', path)).status).toBe(404);
      expect(await verified()).toEqual([]);
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
    const { status, json } = await client.send('POST', '/v1/metrics/lessons/event', { body });
    expect(status).toBe(201);
    return json;
  }

  /** What a verification of every row finds. */
  async function verified(): Promise<Json> {
    let { json } = await client.send('POST', '/admin/v1/verifications?full=true');
    await until(async () => {
      json = await client.read(`/admin/v1/verifications/${json.id}`);
      return json.state !== 'running';
    });
    expect(json.state).toBe('done');
    return json.findings;
  }
});
