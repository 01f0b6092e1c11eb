import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLaurel, type LaurelProcess } from '../testing/processes.ts';

const LINES = Array.from({ length: 300 }, (_, n) =>
  JSON.stringify({
    ...{ id: `outcome-${n + 1}`, type: 'streak.started', timestamp: '2026-03-02T20:00:00.000Z' },
    text: 'x'.repeat(n % 40),
  }),
);
const KILLS = 4;
const SEED = 20_260_302;

const ignore = (): void => undefined;

/** Numbers from 0 on, below `end`, that a seed gives. */
function random(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % end;
  };
}

const LOADER = 'examples/python/load_warehouse.py';

interface Moments {
  /** Called before, or after, a page is sent. */
  readonly onRequest?: () => void;
  /** Called before any of a page is sent. @param printed how many lines were sent with it, and before */
  readonly onPage?: (printed: number) => void;
}

/** Pages of random lengths. */
async function serve(below: (end: number) => number, { onRequest = ignore, onPage = ignore }: Moments) {
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('after') ?? 0);
    const end = Math.min(LINES.length, after + 1 + below(25));
    const headers = { 'content-type': 'application/x-ndjson', 'laurel-cursor': String(end) };
    response.writeHead(200, { 'x-request-id': 'fake', ...headers });
    onPage(end);
    const isBefore = below(2) === 0;
    if (isBefore) onRequest();
    response.end(
      LINES.slice(after, end)
        .map((line) => `${line}\n`)
        .join(''),
      () => !isBefore && onRequest(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('an export that is killed repeatedly', () => {
  it('resumes from its cursor file, repeats at most a page each time and omits nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-killed-'));
    const cursorFile = join(folder, 'outcomes.cursor');
    const below = random(SEED);
    let running: LaurelProcess | null = null;
    let untilKill = Infinity;
    const server = await serve(below, { onRequest: () => (untilKill -= 1) === 0 && running?.kill() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ['export', 'outcomes', '--url', url, '--cursor-file', cursorFile];
    try {
      const printed: string[] = [];
      for (let run = 0; ; run++) {
        untilKill = run < KILLS ? 1 + below(4) : Infinity;
        running = startLaurel(words, { LAUREL_API_KEY: 'a key of 24 characters, or more' });
        const { exitCode, stdout, stderr } = await running.ended;
        // The next run repeats the cut line.
        printed.push(...stdout.split('\n').slice(0, -1));
        expect([0, 'SIGKILL', stderr]).toContain(exitCode);
        if (exitCode === 0) break;
      }
      expect([...new Set(printed)]).toEqual(LINES);
      expect(printed.length).toBeLessThanOrEqual(LINES.length + KILLS * 25);
      expect(await readFile(cursorFile, 'utf8')).toBe(`${LINES.length}\n`);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
  });

  it('repeats a printed page without a stored cursor, so loading all output twice gives each line once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-cut-'));
    const cursorFile = join(folder, 'outcomes.cursor');
    const draft = `${cursorFile}.next`;
    const below = random(SEED + 1);
    let untilStop = Infinity;
    let stoppedAt = Infinity;
    const server = await serve(below, {
      onPage: (end) => {
        untilStop -= 1;
        if (untilStop !== 0) return;
        // Whoever writes into it waits for a reader, who never comes.
        execFileSync('mkfifo', [draft]);
        stoppedAt = end;
      },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ['export', 'outcomes', '--url', url, '--cursor-file', cursorFile];
    const files: string[] = [];
    try {
      for (let run = 0; ; run++) {
        [untilStop, stoppedAt] = [run < KILLS ? 1 + below(4) : Infinity, Infinity];
        const from = Number(await readFile(cursorFile, 'utf8').catch(() => '0'));
        const running = startLaurel(words, { LAUREL_API_KEY: 'a key of 24 characters, or more' });
        running.killOnce((stdout) => stdout.split('\n').length - 1 === stoppedAt - from);
        const { exitCode, stdout, stderr } = await running.ended;
        expect([exitCode, stderr]).toEqual([run < KILLS ? 'SIGKILL' : 0, '']);
        const file = join(folder, `outcomes-${run}.ndjson`);
        files.push(file);
        // The last line of a run that was killed is cut.
        await writeFile(file, exitCode === 0 ? stdout : stdout.slice(0, -1 - below(30)));
        if (exitCode === 0) break;
        expect(Number(await readFile(cursorFile, 'utf8').catch(() => '0'))).toBeLessThan(stoppedAt);
        await rm(draft);
      }
      const load = () => promisify(execFile)('python3', [LOADER, join(folder, 'warehouse.db'), 'outcomes', ...files]);
      for (const time of ['first', 'second'])
        expect([time, (await load()).stdout]).toEqual([time, `streak.started ${LINES.length}\n`]);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
