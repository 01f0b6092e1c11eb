import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Program {
  readonly pid: number;
  readonly ended: Promise<number | string>;
}

interface Processes {
  freePort(): Promise<number>;
  start(name: string, command: string, args: readonly string[], options: { log: string }): Program;
  waitUntil(condition: () => boolean, what: string, options: { limitMs: number; program: Program }): Promise<void>;
}

const { freePort, start, waitUntil } = (await import(new URL('processes.mjs', import.meta.url).href)) as Processes;

describe('freePort', () => {
  it('returns another port at each call, even if nobody listens on the earlier ones', async () => {
    const ports = await Promise.all(Array.from({ length: 1_000 }, () => freePort()));
    expect(new Set(ports).size).toBe(1_000);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...ports)).toBeLessThan(30_000);
  });
});

describe('a program that is awaited', () => {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-processes-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is shown with its output when it takes too long', async () => {
    const says = 'console.error("opening the database"); setInterval(() => {}, 1_000)';
    const log = join(folder, 'b.log');
    const program = start('a service', process.execPath, ['-e', says], { log });
    try {
      const printed = (): boolean => readFileSync(log, 'utf8') !== '';
      await waitUntil(printed, 'it says something', { limitMs: 60_000, program });
      const waiting = waitUntil(() => false, 'it is ready', { limitMs: 1, program });
      await expect(waiting).rejects.toThrow('it is ready: not within 0.001 s\nopening the database');
    } finally {
      process.kill(program.pid, 'SIGKILL');
      await program.ended;
    }
  });

  it('is shown with its output when it ends instead', async () => {
    const says = 'console.error("no configuration"); process.exit(3)';
    const program = start('a service', process.execPath, ['-e', says], { log: join(folder, 'a.log') });
    const waiting = waitUntil(() => false, 'it is ready', { limitMs: 60_000, program });
    await expect(waiting).rejects.toThrow('a service ended before it is ready: 3\nno configuration');
  });
});
