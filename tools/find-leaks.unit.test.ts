import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./find-leaks.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'find-leaks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each text stands in a file of its own, all are looked at in one go. */
function leaksOf(texts: readonly string[], name = 'notes.md'): { status: number | null; leaking: boolean[] } {
  const files = texts.map((text, index) => {
    const path = join(folder, `${index}-${name}`);
    writeFileSync(path, `first line\n${text}\n`);
    return path;
  });
  const { status, stdout } = spawnSync(process.execPath, [COMMAND, ...files], { encoding: 'utf8' });
  return { status, leaking: files.map((file) => stdout.includes(`${file}:2: `)) };
}

// Put together here, so that this file holds none of them.
const slash = '/';
const at = (...parts: string[]) => slash + parts.join(slash);

describe('find-leaks', () => {
  it('finds registry hosts, machine paths and paths out of the checkout, with file and line', () => {
    const texts = [
      `https:${at('', ['registry', 'npmjs', 'org'].join('.'))}/pg`,
      `host: ${['registry', 'yarnpkg', 'com'].join('.')}`,
      `@laurel:${['npm', 'pkg', 'github', 'com'].join('.')}`,
      `http:${at('', 'npm-cache.example:8080', 'pg')}`,
      `cd ${at('work', 'main')}`,
      `cd ${at('root')}`,
      `"${at('home', 'ada', 'laurel')}"`,
      `(${at('Users', 'ada')})`,
      `zcat ..${at('shared', 'data')}`,
    ];
    const { status, leaking } = leaksOf(texts);
    expect(leaking).toEqual(texts.map(() => true));
    expect(status).toBe(1);
  });

  it('ignores text that only looks similar', () => {
    const texts = [
      'https://www.npmjs.com/package/pg',
      "import '../../work/shared.ts'; const workers = '/workers'; const home = '/home/'",
      'registry.register(metric)',
      'GET /v1/root and https://example.com/work',
      '"resolved": "libs/values/amounts", "link": true',
    ];
    const { status, leaking } = leaksOf(texts);
    expect(leaking).toEqual(texts.map(() => false));
    expect(status).toBe(0);
  });

  it('finds any host in a lock file', () => {
    writeFileSync(
      join(folder, 'package-lock.json'),
      `{\n"resolved": "https:${at('', 'somewhere.example', 'pg.tgz')}"\n}`,
    );
    const { status, stdout } = spawnSync(process.execPath, [COMMAND, join(folder, 'package-lock.json')], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('package-lock.json:2: a host in the lock file');
    expect(status).toBe(1);
  });
});
