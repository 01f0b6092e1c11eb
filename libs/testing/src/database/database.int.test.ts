import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTestDatabase } from './database.ts';

const MIGRATIONS = [
  { name: '1000-second', sql: 'insert into numbers values (1)' },
  { name: '0002-first', sql: 'create table numbers (n int primary key); create table other ()' },
];

describe('a test database', () => {
  it('is fresh for each caller, and migrated in numeric order', async () => {
    const [one, two] = await Promise.all([openTestDatabase(MIGRATIONS), openTestDatabase(MIGRATIONS)]);
    await one.sql.query('insert into numbers values ($1)', [2]);
    expect(await one.sql.query('select n from numbers order by n', [])).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await two.sql.query('select n from numbers order by n', [])).toEqual([{ n: 1 }]);
    await Promise.all([one.close(), two.close()]);
  });

  it('is dropped when it is closed, without affecting others', async () => {
    const one = await openTestDatabase([]);
    const two = await openTestDatabase([]);
    await one.close();
    const rows = await two.sql.query<{ datname: string }>(`select datname from pg_database where datname = any($1)`, [
      [one.connection.database, two.connection.database],
    ]);
    expect(rows).toEqual([{ datname: two.connection.database }]);
    await two.close();
  });

  it('is dropped if a migration fails, and the error names that migration', async () => {
    const before = await openTestDatabase([]);
    await expect(openTestDatabase([{ name: '0001-broken', sql: 'create tabel t ()' }])).rejects.toThrow('0001-broken');
    const [row] = await before.sql.query<{ n: number }>(
      `select count(*)::int as n from pg_database where datname like 'test_%'`,
      [],
    );
    expect(row).toEqual({ n: 1 });
    await before.close();
  });
});

describe('the server behind test databases', () => {
  it('ends with the process that started it, even if that is killed', async () => {
    const program = `
      import { openTestDatabase } from './libs/testing/src/database/database.ts';
      await openTestDatabase([]);
      console.log('open');
      setInterval(() => undefined, 1000);
    `;
    const loader = fileURLToPath(new URL('../typescript-loader.mjs', import.meta.url));
    const flags = ['--no-warnings', '--conditions=@laurel/source', '--import', loader, '--input-type=module'];
    const child = spawn(process.execPath, [...flags, '-e', program], {
      cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const folder = join(tmpdir(), `laurel-test-${child.pid}`);
    expect((await readdir(folder)).includes('postgres')).toBe(true);
    child.kill('SIGKILL');
    while ((await stat(folder).catch(() => null)) !== null) await pause(10);
  });
});
