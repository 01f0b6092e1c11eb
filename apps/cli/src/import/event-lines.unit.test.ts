import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openEventFile } from './event-lines.ts';

describe('an event file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-lines-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, content);
    const { lines, share } = await openEventFile(path);
    const found = [];
    for await (const chunk of lines)
      found.push(...chunk.map(({ number, bytes }) => ({ number, text: bytes && String(bytes) })));
    return { found, share: share() };
  };

  it.each(['events.ndjson', 'events.ndjson.gz'])('is read line by line with line numbers (%s)', async (name) => {
    const text = '{"n":1}\r\n\n  \n{"n":4}';
    const { found, share } = await read(name, name.endsWith('.gz') ? gzipSync(text) : text);
    expect(found).toEqual([
      { number: 1, text: '{"n":1}\r' },
      { number: 4, text: '{"n":4}' },
    ]);
    expect(share).toBe(1);
  });

  it('loses no line and no error when it is read some time after it was opened', async () => {
    await writeFile(join(folder, 'events.ndjson'), '{"n":1}\n{"n":2}\n');
    const late = async (path: string) => {
      const { lines } = await openEventFile(path);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const numbers = [];
      for await (const chunk of lines) numbers.push(...chunk.map(({ number }) => number));
      return numbers;
    };
    expect(await late(join(folder, 'events.ndjson'))).toEqual([1, 2]);
    await expect(late(folder)).rejects.toThrow(/cannot be read: EISDIR/);
  });

  it('may begin with a byte order mark', async () => {
    const { found } = await read('events.ndjson', '\ufeff{"n":1}\n\ufeff{"n":2}');
    expect(found.map(({ text }) => text)).toEqual(['{"n":1}', '\ufeff{"n":2}']);
  });

  it('reports only the number of a line that is longer than the service accepts', async () => {
    const { found } = await read('events.ndjson', `${'x'.repeat(64 * 1024 + 1)}\n{"n":2}`);
    expect(found).toEqual([
      { number: 1, text: null },
      { number: 2, text: '{"n":2}' },
    ]);
  });

  it('may be empty', async () => {
    expect(await read('events.ndjson', '')).toEqual({ found: [], share: 1 });
  });

  it('is named in the error when it is missing or not in the expected format', async () => {
    await expect(openEventFile(join(folder, 'none'))).rejects.toThrow(/none cannot be read/);
    await expect(read('broken.ndjson.gz', 'not gzip')).rejects.toThrow(/broken\.ndjson\.gz cannot be read/);
    const cut = gzipSync('{"n":1}\n'.repeat(10_000)).subarray(0, 40);
    await expect(read('cut.ndjson.gz', cut)).rejects.toThrow(/cut\.ndjson\.gz cannot be read/);
  });
});
