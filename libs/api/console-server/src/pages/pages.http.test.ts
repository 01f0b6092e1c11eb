import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createClock, createHttpApplication, createLogger, Health, type HttpApplication } from '@laurel/runtime';
import { ConsoleModule } from '../console-module.ts';
import type { ConsolePorts } from '../ports.ts';
import { readWebFiles, type WebFiles } from './web-files.ts';

const PAGE = '<!doctype html><title>Laurel</title>';
const SCRIPT = 'console.log("laurel")';

describe('the files of the console', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-console-'));
    await mkdir(join(folder, 'assets'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (path: string, content: string) => {
    await writeFile(join(folder, path), content);
    await writeFile(join(folder, `${path}.gz`), gzipSync(content));
    await writeFile(join(folder, `${path}.br`), brotliCompressSync(content));
  };
  const build = async (assets: readonly string[] = ['main-A1.js'], basePath = '') => {
    await write('index.html', PAGE);
    for (const name of ['main-A1.js', 'not-named.js']) await write(`assets/${name}`, SCRIPT);
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ assets }));
    return readWebFiles(basePath, folder);
  };
  const serving = async (files: WebFiles | null, act: (http: HttpApplication) => Promise<void>) => {
    // Pages ask for no session.
    const ports = { files, publicUrl: null } as ConsolePorts;
    const http = await createHttpApplication({
      modules: [ConsoleModule.register(ports)],
      keys: { find: () => 'unknown' },
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
    await act(http).finally(() => http.close());
  };
  const get = (http: HttpApplication, url: string, headers: Record<string, string> = {}) =>
    http.fastify.inject({ url, headers });

  it('are loaded from below the path of the public address', async () => {
    const files = await build(undefined, '/laurel');
    await write('index.html', '<script src="/console/assets/main-A1.js"></script>');
    const below = readWebFiles('/laurel', folder)?.page;
    expect(below?.plain.toString()).toBe('<script src="/laurel/console/assets/main-A1.js"></script>');
    expect([gunzipSync(below?.gzip ?? ''), brotliDecompressSync(below?.br ?? '')]).toEqual([
      below?.plain,
      below?.plain,
    ]);
    expect(below?.etag).not.toBe(files?.page.etag);
  });

  it('serve one page for every path, and it may load nothing from elsewhere', async () => {
    await serving(await build(), async (http) => {
      for (const url of ['/console', '/console/users', '/console/users/ada']) {
        const { statusCode, headers, body } = await get(http, url);
        expect([statusCode, body]).toEqual([200, PAGE]);
        expect(headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
          'content-security-policy':
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        });
      }
    });
  });

  it('are not sent again to a browser that has them', async () => {
    await serving(await build(), async (http) => {
      const { headers } = await get(http, '/console');
      const again = await get(http, '/console', { 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      expect((await get(http, '/console', { 'if-none-match': '"another"' })).statusCode).toBe(200);
      expect((await get(http, '/console/assets/main-A1.js')).headers).toMatchObject({
        ...{ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
      });
    });
  });

  it('are compressed as the browser accepts', async () => {
    await serving(await build(), async (http) => {
      const asked = async (accepted: string) => {
        const { headers, rawPayload } = await get(http, '/console/assets/main-A1.js', { 'accept-encoding': accepted });
        return [headers['content-encoding'], rawPayload] as const;
      };
      const [br, brotli] = await asked('gzip, deflate, br');
      expect([br, brotliDecompressSync(brotli).toString()]).toEqual(['br', SCRIPT]);
      const [gzip, zipped] = await asked('gzip, br;q=0');
      expect([gzip, gunzipSync(zipped).toString()]).toEqual(['gzip', SCRIPT]);
      const [plain, text] = await asked('identity');
      expect([plain, text.toString()]).toEqual([undefined, SCRIPT]);
    });
  });

  it('include only those that the build names', async () => {
    await serving(await build(), async (http) => {
      for (const name of ['not-named.js', 'main-A1.js.br', '..%2Findex.html', '..%2Fmanifest.json', '__proto__'])
        expect((await get(http, `/console/assets/${name}`)).statusCode).toBe(404);
    });
  });

  it('are answered with 404 when they were not built, and refused when the build is incomplete', async () => {
    expect(readWebFiles('', folder)).toBeNull();
    await serving(null, async (http) => {
      const { statusCode, body } = await get(http, '/console');
      expect([statusCode, JSON.parse(body).error]).toEqual([404, 'The console was not built here.']);
    });
    await expect(build(['main-A1.js', 'gone.js'])).rejects.toThrow('gone.js');
    await expect(build(['main-A1.wasm'])).rejects.toThrow();
  });
});
