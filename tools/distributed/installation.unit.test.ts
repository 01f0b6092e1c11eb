import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { openInstallation } = await import(new URL('./installation.mjs', import.meta.url).href);

const SECRETS = ['apiKey', 'internalToken', 'secretsKey'];

describe('an installation of the distributed topology in a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installation-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = (form?: string, variables = {}) => openInstallation(folder, { form, variables, shownAs: 'the folder' });

  it('stores its form and its secrets, readable only by the owner', () => {
    const first = open('fused');
    expect(first).toMatchObject({ form: 'fused', partitions: 12, isNew: true, port: 3000 });
    first.keep();
    const file = join(folder, 'installation.json');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const next = open();
    expect(next).toMatchObject({ form: 'fused', isNew: false });
    for (const name of SECRETS) {
      expect(first[name].length).toBeGreaterThanOrEqual(24);
      expect(next[name]).toBe(first[name]);
    }
    expect(new Set(SECRETS.map((name) => first[name])).size).toBe(3);
  });

  it('counts as new, with the same secrets, until a start succeeded', () => {
    const { internalToken } = open();
    expect(open()).toMatchObject({ form: 'six', isNew: true, internalToken });
  });

  it('refuses a form that differs from the stored one', () => {
    open('six');
    expect(() => open('fused')).toThrow('the folder was started in the form six');
    expect(() => open('seven')).toThrow('--form must be six or fused, got "seven"');
  });

  it('takes port, file and key from the variables and stores none of them', () => {
    const variables = {
      LAUREL_PORT: '4000',
      LAUREL_CONFIG: 'laurel.yaml',
      LAUREL_API_KEY: 'a key of the owner',
      LAUREL_CLOCK: 'x',
    };
    expect(open(undefined, variables)).toMatchObject({
      ...{ port: 4000, config: 'laurel.yaml', apiKey: 'a key of the owner', given: { LAUREL_CLOCK: 'x' } },
    });
    expect(readFileSync(join(folder, 'installation.json'), 'utf8')).not.toContain('a key of the owner');
  });
});
