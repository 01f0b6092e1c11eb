import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKeptInPlace, keepInPlace, moveDatabase } from './index.ts';
import { lockFolder } from './folder-lock.ts';
import { outputOf, spawnSources } from './test-support/child-server.ts';

/** Moves a database, and dies by SIGKILL before or after its nth change of a file or folder. */
const PROGRAM = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const [from, to, at, when] = process.argv.slice(1);
  let changes = 0;
  for (const name of ['copyFile', 'mkdir', 'open', 'rename', 'rm', 'rmdir', 'writeFile']) {
    const change = fs[name];
    fs[name] = async (...parameters) => {
      const isLast = ++changes === Number(at);
      if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
      const done = await change(...parameters);
      if (isLast) process.kill(process.pid, 'SIGKILL');
      return done;
    };
  }
  syncBuiltinESMExports();
  const { moveDatabase } = await import('${new URL('move-database.ts', import.meta.url).href}');
  await moveDatabase({ from, to, beside: ['secrets.key'], dropped: ['laurel.sock'], log: () => undefined });
`;

describe('moving a database up from an inner folder', () => {
  let to: string;
  let from: string;
  beforeEach(layOut);
  afterEach(() => rm(to, { recursive: true, force: true }));

  async function layOut(): Promise<void> {
    to = await mkdtemp(join(tmpdir(), 'laurel-move-'));
    from = join(to, 'demo');
    await mkdir(join(from, 'postgres'), { recursive: true });
    await mkdir(join(from, 'socket'));
    const files = {
      'postgres/PG_VERSION': '18\n',
      'postgres/table': 'rows',
      'postgres.password': 'of the database',
      'postgres.log': 'what it said',
      'secrets.key': 'of the webhooks',
      'laurel.sock': '',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(from, name), text);
    // Of a first start that was killed before it had made a database.
    await writeFile(join(to, 'postgres.password'), 'of no database');
  }

  const killedAt = (at: number, when: 'before' | 'after') =>
    outputOf(spawnSources(PROGRAM, [from, to, String(at), when])).then(
      () => 'moved',
      () => 'killed',
    );

  const messages: string[] = [];
  const move = () =>
    moveDatabase({
      from,
      to,
      beside: ['secrets.key'],
      dropped: ['laurel.sock'],
      log: (message) => messages.push(message),
    });
  const isWhole = (folder: string): boolean =>
    existsSync(join(folder, 'postgres')) &&
    ['postgres/PG_VERSION', 'postgres/table', 'postgres.password', 'secrets.key']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join() === '18\n,rows,of the database,of the webhooks';

  it('moves everything that the database needs', async () => {
    await move();
    expect(isWhole(to)).toBe(true);
    expect(readdirSync(to).sort()).toEqual([
      'postgres',
      'postgres.lock',
      'postgres.log',
      'postgres.password',
      'secrets.key',
    ]);
    expect(messages).toEqual([`the database of ${from} was moved to ${to}`]);
  });

  it('leaves other files in the inner folder', async () => {
    await writeFile(join(from, 'notes.txt'), 'mine');
    await move();
    expect(readdirSync(from)).toEqual(['notes.txt']);
  });

  it('does nothing if the outer folder holds a database, or the inner one holds none', async () => {
    await mkdir(join(to, 'postgres'));
    await move();
    expect(isWhole(from)).toBe(true);
    await rm(join(to, 'postgres'), { recursive: true });
    await rm(join(from, 'postgres', 'PG_VERSION'));
    await move();
    expect(existsSync(join(to, 'postgres'))).toBe(false);
  });

  it('does nothing if the inner folder was chosen as a data folder', async () => {
    await keepInPlace(from);
    expect(await isKeptInPlace(from)).toBe(true);
    await move();
    expect(isWhole(from)).toBe(true);
    expect(existsSync(join(to, 'postgres'))).toBe(false);
  });

  it('is refused while a process uses either folder', async () => {
    for (const folder of [from, to]) {
      const lock = await lockFolder(folder, join(folder, 'postgres.lock'));
      await expect(move()).rejects.toThrow(`The data folder ${folder} is in use by process ${process.pid}`);
      await lock.release();
    }
    expect(isWhole(from)).toBe(true);
  });

  it("is refused with the file's name if it would overwrite the key of other secrets", async () => {
    await writeFile(join(to, 'secrets.key'), 'of another database');
    await expect(move()).rejects.toThrow(`Move ${join(to, 'secrets.key')} away.`);
    expect(isWhole(from)).toBe(true);
  });

  it('survives a kill at any point: one folder holds the whole database, and the next start completes the move', async () => {
    let kills = 0;
    for (let at = 1; ; at++) {
      const outcome = await killedAt(at, at % 2 === 0 ? 'before' : 'after');
      expect(existsSync(join(to, 'postgres')) ? isWhole(to) : isWhole(from)).toBe(true);
      if (outcome === 'moved') break;
      kills++;
      await move();
      expect(isWhole(to)).toBe(true);
      expect(existsSync(join(from, 'postgres'))).toBe(false);
      await rm(to, { recursive: true });
      await layOut();
    }
    expect(kills).toBeGreaterThan(15);
  });
});
