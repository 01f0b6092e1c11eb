import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('./recommend-node.mjs', import.meta.url));

/** Runs it as if on another release of Node. */
function saidOn(version: string): string {
  const disguise = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, COMMAND],
    { encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([0, '']);
  return stderr;
}

describe('recommend-node', () => {
  it('says that Node 20 is past its end of life', () => {
    expect(saidOn('20.19.0')).toBe('Node 20 is past its end of life. Laurel recommends Node 26; this is 20.19.0.\n');
  });

  it('recommends the active LTS release on an older one', () => {
    expect(saidOn('24.3.0')).toBe('Laurel recommends Node 26; this is 24.3.0.\n');
  });

  it('prints nothing on the recommended release or a newer one', () => {
    expect([saidOn('26.0.0'), saidOn('28.1.0')]).toEqual(['', '']);
  });

  it('recommends the release of .nvmrc', () => {
    const release = readFileSync(fileURLToPath(new URL('../.nvmrc', import.meta.url)), 'utf8').trim();
    expect(saidOn('24.3.0')).toContain(`recommends Node ${release};`);
  });
});
