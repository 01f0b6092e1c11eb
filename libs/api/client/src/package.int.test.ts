import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'laurel-client-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

describe('the package of the client', () => {
  let packed: Packed;
  beforeAll(() => {
    execFileSync(process.execPath, ['tools/compiler/tsc.mjs', '-b', 'libs/api/client'], { cwd: ROOT });
    const words = ['pack', '--json', '--silent', '--pack-destination', folder];
    [packed] = JSON.parse(execFileSync('npm', words, { cwd: CLIENT, encoding: 'utf8' })) as [Packed];
  });

  it('contains the build with its types and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/generated/laurel-api.d.ts'],
      ]),
    );
    expect(
      paths.filter((path) => !/^(?:package\.json|README\.md|dist\/.*(?<!\.test)\.(?:js|d\.ts))$/.test(path)),
    ).toEqual([]);
  });

  it('runs with only its declared dependencies', () => {
    const installed = join(folder, 'node_modules/@laurel/client');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed]);
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), place);
    }
    const program = `import { createLaurelClient, recordEvent } from '@laurel/client';
      const client = createLaurelClient(); console.log(typeof client.GET, typeof recordEvent); await client.close();`;
    const words = ['--input-type=module', '-e', program];
    const env = { ...process.env, NODE_OPTIONS: '' };
    expect(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env })).toBe('function function\n');
  });
});
