import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, demoDocument, readConfiguredFile } from './configured-file.ts';

describe('the file of LAUREL_CONFIG', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-file-'));
    file = join(folder, 'laurel.yaml');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const refusal = async () => {
    const error: unknown = await readConfiguredFile(file).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  };

  it('is neither read nor replaced by the demo when the variable is not set', async () => {
    expect(await readConfiguredFile(null)).toBeNull();
    expect(demoDocument()).toMatchObject({ document: { version: 1 } });
  });

  it('is read with its document and its text', async () => {
    const text = '# orders\nversion: 1\nmetrics: [{ key: orders, name: Orders }]\n';
    await writeFile(file, text);
    const document = { version: 1, metrics: [{ key: 'orders', name: 'Orders' }] };
    expect(await readConfiguredFile(file)).toMatchObject({ document, text });
  });

  it('is refused with variable and path when it is missing or a folder', async () => {
    expect(await refusal()).toMatch(/^LAUREL_CONFIG \S+\/laurel\.yaml cannot be read: ENOENT/);
    file = folder;
    expect(await refusal()).toMatch(/^LAUREL_CONFIG \S+ cannot be read: EISDIR/);
  });

  it('is refused when it is not UTF-8', async () => {
    await writeFile(file, Buffer.from([0xff, 0xfe, 0x76]));
    expect(await refusal()).toMatch(/^LAUREL_CONFIG \S+\/laurel\.yaml is not encoded in UTF-8$/);
  });

  it('is refused with the line and path of every problem', async () => {
    await writeFile(file, 'version: 1\nmetrics: [{ key: "", name: Orders }]\nstreaks: {}\n');
    const message = await refusal();
    expect(message).toMatch(/^the configuration cannot be used; nothing was applied\n/);
    expect(message).toMatch(/laurel\.yaml:2:.*metrics\[0\]\.key/);
    expect(message).toMatch(/laurel\.yaml:3:.*streaks/);
  });
});
