import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLaurel, startServiceProcess, type ServiceProcess } from './testing/processes.ts';

describe('`laurel console` beside a service process', () => {
  let folder: string;
  let service: ServiceProcess | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-console-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const variables = () => ({ LAUREL_DATA_DIR: join(folder, 'data') });
  const start = async (others: Readonly<Record<string, string>> = {}): Promise<string> => {
    await service?.stop();
    service = await startServiceProcess({ ...variables(), ...others });
    return service.url;
  };

  it('prints a link that signs in; with LAUREL_CONSOLE=off the console answers 404', async () => {
    const url = await start();
    const { exitCode, stdout } = await startLaurel(['console'], variables()).ended;
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/localhost:\d+\/console#token=[\w-]{43}\n$/),
    ]);
    const link = new URL(stdout.trim());
    expect(link.port).toBe(new URL(url).port);
    expect((await fetch(link)).status).toBe(200);
    const answer = await fetch(new URL('/console/session', link), {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', origin: link.origin } },
      body: JSON.stringify({ token: link.hash.replace('#token=', '') }),
    });
    expect(answer.status).toBe(201);
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const statuses = (base: string) =>
      Promise.all(
        ['/console', '/console/session', '/admin/v1/keys'].map(
          async (path) => (await fetch(`${base}${path}`, { headers: { cookie } })).status,
        ),
      );
    expect(await statuses(url)).toEqual([200, 200, 200]);
    expect(await statuses(await start({ LAUREL_CONSOLE: 'off' }))).toEqual([404, 404, 401]);
  });
});
