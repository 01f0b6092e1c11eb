/** A program started by a test, as described in `tools/processes.mjs`. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<number | string>;
  hasEnded(): boolean;
}

interface ProcessTools {
  start(name: string, command: string, args: readonly string[], options: object): Program;
  waitUntil(
    condition: () => Promise<boolean> | boolean,
    what: string,
    options: { limitMs: number; program?: Program },
  ): Promise<void>;
  isReady(url: string): Promise<boolean>;
  freePort(): Promise<number>;
}

interface GuardTools {
  guardAgainstOrphan(what: { pid: number; mark: string; folder: string | null }): { dismiss(): void };
}

/** A port that nobody listens on at present, and that no outgoing connection gets. */
export const freePort = async (): Promise<number> => (await tools()).freePort();

/** Imported by their path, because the tools are plain JavaScript and not a library. */
export async function tools(): Promise<ProcessTools & GuardTools> {
  const place = (path: string): string => new URL(`../../../../tools/${path}`, import.meta.url).href;
  const processes = (await import(place('processes.mjs'))) as ProcessTools;
  const guard = (await import(place('kafka/orphan-guard.mjs'))) as GuardTools;
  return { ...processes, ...guard };
}
