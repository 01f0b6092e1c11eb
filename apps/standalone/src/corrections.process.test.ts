import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';
const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: five, name: Five, trigger: { type: metric, metric: lessons, value: 5 } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }]
leaderboards: [{ key: board, name: Board, rankBy: metric, metric: lessons, start: 2026-01-01 }]
`;

/** When the process is killed. */
interface Point {
  /** Held by somebody else until then, so that the correction gets no further. */
  readonly held: string | null;
  /** What shows that it has come so far. */
  readonly reached: string;
  /** What a correction that was killed there has done; null: either all or nothing. */
  readonly done: boolean | null;
}

const WAITS = `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`;

const CORRECTIONS = 'select from events where type = 11 and type >= 5';

const POINTS: readonly (readonly [string, Point])[] = [
  ['while the user is folded', { held: 'lock table effects in access exclusive mode', reached: WAITS, done: false }],
  ['in the middle of its statement', { held: 'select from user_states for update', reached: WAITS, done: null }],
  ['once it is committed', { held: null, reached: CORRECTIONS, done: true }],
];

describe('a process that is killed while it corrects', () => {
  let server: EmbeddedPostgres;
  let client: pg.Client;
  let folder: string;
  let service: StandaloneProcess | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-corrections-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'operator') });
    client = await connect();
    await writeFile(join(folder, 'laurel.yaml'), CONFIGURATION);
    service = await start();
  });
  afterEach(async () => {
    await kill();
    await client.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function connect(): Promise<pg.Client> {
    const one = new pg.Client({ ...server.connection });
    await one.connect();
    return one;
  }

  const rowsOf = async (sql: string): Promise<number> => (await client.query(sql)).rows.length;

  const start = () =>
    startProcess({
      ...{ LAUREL_API_KEY: KEY, LAUREL_DATABASE_URL: urlOf(server) },
      ...{ LAUREL_CONFIG: join(folder, 'laurel.yaml'), LAUREL_DATA_DIR: join(folder, 'data') },
    });

  async function kill(): Promise<void> {
    service?.process.kill('SIGKILL');
    await service?.ended;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many shapes
  async function ask(path: string, body?: object): Promise<any> {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${service?.url}${path}`, init)).json();
  }

  /** What everybody reads of Ada: lessons, points, achievements, rank. */
  async function ada(): Promise<unknown> {
    const paths = ['metrics/lessons', 'points/xp', 'achievements', 'leaderboards/board'];
    const [lessons, points, achievements, board] = await Promise.all(paths.map((path) => ask(`/v1/users/ada/${path}`)));
    return [lessons.current, points.total, achievements.length, board.rank];
  }

  async function findings(): Promise<unknown> {
    const { id } = await ask('/admin/v1/verifications?full=true', {});
    for (;;) {
      const found = await ask(`/admin/v1/verifications/${id}`);
      if (found.state !== 'running') return [found.state, found.findings];
      await pause();
    }
  }

  it.each(POINTS)(
    '%s leaves all of it or nothing',
    async (_, { held, reached, done }) => {
      const record = (user: string, value: number) =>
        ask('/v1/metrics/lessons/event', { user: { id: user }, value }) as Promise<{ eventId: string }>;
      await record('ada', 3);
      await record('bea', 4);
      const { eventId } = await record('ada', 4);
      const corrections = [{ eventId, retract: true }];
      const preview = await ask('/admin/v1/corrections/previews', { corrections });
      expect(await ada()).toEqual([7, 70, 1, 1]);

      const holder = await connect();
      await holder.query('begin');
      if (held !== null) await holder.query(held);
      const order = { corrections, preview: preview.id, reason: 'sent twice' };
      const asked = ask('/admin/v1/corrections', order).catch(() => null);
      while ((await rowsOf(reached)) === 0) await pause();
      await kill();
      await asked;
      await holder.query('rollback');
      await holder.end();

      service = await start();
      const corrected = (await rowsOf(CORRECTIONS)) === 1;
      if (done !== null) expect(corrected).toBe(done);
      expect(await ada()).toEqual(corrected ? [3, 30, 0, 2] : [7, 70, 1, 1]);
      expect(await findings()).toEqual(['done', []]);
      if (!corrected) await ask('/admin/v1/corrections', order);
      expect(await ada()).toEqual([3, 30, 0, 2]);
    },
    120_000,
  );
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** As an operator writes it. */
const urlOf = ({ connection: { user, password, host, database } }: EmbeddedPostgres): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
