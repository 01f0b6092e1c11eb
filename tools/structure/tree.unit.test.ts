import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { treeOfCheckout } = await import(new URL('./tree.mjs', import.meta.url).href);

describe('the files of a checkout', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tree-'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    for (const path of ['src/a.ts', 'src/generated/b.ts', 'node_modules/c/c.ts', '.gitignore']) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), path === '.gitignore' ? 'generated/\n' : path);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are those that git does not ignore, committed or not', () => {
    const { files, read } = treeOfCheckout(folder);
    expect(files).toEqual(['src/a.ts']);
    expect(read('src/a.ts')).toBe('src/a.ts');
  });
});
