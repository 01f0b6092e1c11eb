import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, 'launch-service.mjs');
/** Longer than what is not worth storing. */
const FILLING = `const filling = ${JSON.stringify('x'.repeat(150_000))};`;

describe('the launcher of a service', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'launch-service-'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    copyFileSync(LAUNCHER, join(folder, 'main.js'));
    write('main.cjs', "const { answer } = require('./chunk.js'); answer(); require('node:fs');");
    write('chunk.cjs', `${FILLING} exports.answer = () => console.log('one', filling.length);`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const launch = () => spawnSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' });
  const stored = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.code'));
  const onlyStored = (): string => {
    const [name = ''] = stored();
    return join(folder, name);
  };

  it('stores the compiled code of large files once', () => {
    expect(launch()).toMatchObject({ status: 0, stdout: 'one 150000\n', stderr: '' });
    expect(stored()).toEqual([expect.stringMatching(/^chunk\.cjs\.[0-9a-f]+\.code$/)]);
    const { ino } = statSync(onlyStored());
    expect(launch()).toMatchObject({ status: 0, stdout: 'one 150000\n', stderr: '' });
    expect(statSync(onlyStored()).ino).toBe(ino);
  });

  it('stores nothing when the service refuses to start', () => {
    write('main.cjs', "require('./chunk.js').answer(); process.exit(1);");
    expect(launch()).toMatchObject({ status: 1, stdout: 'one 150000\n' });
    expect(stored()).toEqual([]);
  });

  it('runs a changed source of the same length and replaces its stored code', () => {
    launch();
    const before = readFileSync(onlyStored());
    write('chunk.cjs', `${FILLING} exports.answer = () => console.log('two', filling.length);`);
    expect(launch()).toMatchObject({ status: 0, stdout: 'two 150000\n' });
    expect(stored()).toHaveLength(1);
    expect(readFileSync(onlyStored()).equals(before)).toBe(false);
  });

  it('ignores damaged stored code and stores it again', () => {
    launch();
    const whole = readFileSync(onlyStored());
    const damaged = Buffer.from(whole);
    damaged.fill(0, Math.floor(damaged.length / 2));
    for (const code of [damaged, whole.subarray(0, 100), Buffer.alloc(0)]) {
      writeFileSync(onlyStored(), code);
      expect(launch()).toMatchObject({ status: 0, stdout: 'one 150000\n', stderr: '' });
      expect(readFileSync(onlyStored()).length).toBe(whole.length);
    }
  });

  it('stores the code for other flags of V8 separately', () => {
    launch();
    spawnSync(process.execPath, ['--max-semi-space-size=16', 'main.js'], { cwd: folder });
    expect(stored()).toHaveLength(2);
  });
});
