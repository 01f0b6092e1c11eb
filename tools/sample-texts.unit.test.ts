import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./sample-texts.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sample-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const comments = Array.from({ length: 50 }, (_, index) => `/** Comment ${index}. */\nconst v${index} = ${index};\n`);
mkdirSync(join(folder, 'libs'));
writeFileSync(
  join(folder, 'libs/a.ts'),
  `${comments.join('')}
// eslint-disable-next-line no-console
logger.warn({ v1 }, 'the disk is full');
// A comment
// on two lines.
throw new RangeError(\`no such user: \${v2}\`);
`,
);
writeFileSync(
  join(folder, 'libs/a.unit.test.ts'),
  `// Not drawn.
describe('a user', () => {
  it.each([1, 2])('has %d points', () => {});
});
`,
);

/** The places and texts that the tool prints with these options. */
function sampled(...options: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('sample-texts', () => {
  it('draws the same sample for the same seed', () => {
    expect(sampled('--seed', '1', '--comments', '10')).toBe(sampled('--seed', '1', '--comments', '10'));
  });

  it('draws another sample for another seed', () => {
    expect(sampled('--seed', '1', '--comments', '10')).not.toBe(sampled('--seed', '2', '--comments', '10'));
  });

  it('draws no more comments than asked', () => {
    expect(sampled('--seed', '1', '--comments', '10')).toContain('comments: 10 of 51\n');
  });

  it('prints comments, test titles, log messages and error texts with file and line', () => {
    const text = sampled('--seed', '1');
    expect(text).toContain('libs/a.ts:1\n  /** Comment 0. */\n');
    expect(text).toContain('libs/a.ts:104\n  // A comment\n  // on two lines.\n');
    expect(text).toContain("libs/a.unit.test.ts:3\n  'a user' › 'has %d points'\n");
    expect(text).toContain("libs/a.ts:103\n  'the disk is full'\n");
    expect(text).toContain('libs/a.ts:106\n  `no such user: ');
    expect(text).not.toContain('eslint');
    expect(text).not.toContain('Not drawn');
  });
});
