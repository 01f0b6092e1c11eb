import { setTimeout as delay } from 'node:timers/promises';
import type { OrphanGuard } from './orphan-guard.ts';
import { stopServer, type Server } from './server.ts';

/** The unexpected end of a server. */
export interface UnexpectedExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lastMessages: string;
}

export interface RunningServer {
  readonly server: Server;
  readonly guard: OrphanGuard;
}

export interface SupervisorOptions {
  /** Starts a server and resolves when it accepts clients. */
  readonly launch: () => Promise<RunningServer>;
  /** The server's last messages. */
  readonly lastMessages: () => Promise<string>;
  /** Whether a server is restarted after an unexpected end. */
  readonly restart: boolean;
  /** Whether `launch` failed because the disk is full; then it is retried without limit. */
  readonly isOutOfSpace: (error: unknown) => Promise<boolean>;
  /** Called once when a server cannot be restarted because the disk is full. */
  readonly onOutOfSpace: () => void;
}

/** The delay before each restart in a row; after the last, the server is given up. */
const DELAYS_MS = [0, 1_000, 2_000, 5_000, 10_000];
/** After this time a server counts as recovered, and its next end starts a new row. */
const RECOVERED_AFTER_MS = 60_000;
const SPACE_RETRY_MS = 2_000;

/** Keeps a server running until it is stopped. */
export class SupervisedServer {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  #current: RunningServer;
  #startsInARow = 0;
  #startedAtMs = performance.now();
  #gone: UnexpectedExit | null = null;
  #onExit: ((exit: UnexpectedExit) => void)[] = [];
  #onRestart: ((exit: UnexpectedExit) => void)[] = [];
  #watching: Promise<void>;

  private constructor(options: SupervisorOptions, running: RunningServer) {
    this.#options = options;
    this.#current = running;
    this.#watching = this.#watch();
  }

  /** @throws EmbeddedPostgresError if the first start fails */
  static async start(options: SupervisorOptions): Promise<SupervisedServer> {
    return new SupervisedServer(options, await options.launch());
  }

  get pid(): number {
    return this.#current.server.pid;
  }

  get guardPid(): number | undefined {
    return this.#current.guard.pid;
  }

  /** Called once when the server has ended for good without `stop`; at once if it already has. */
  onExit(callback: (exit: UnexpectedExit) => void): void {
    if (this.#gone === null) this.#onExit.push(callback);
    else callback(this.#gone);
  }

  /** Called whenever the server accepts clients again after an unexpected end. */
  onRestart(callback: (exit: UnexpectedExit) => void): void {
    this.#onRestart.push(callback);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await stopServer(this.#current.server);
    this.#current.guard.dismiss();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    for (;;) {
      const { server, guard } = this.#current;
      const { code, signal } = await server.exited;
      if (this.#stopping.signal.aborted) return;
      guard.dismiss();
      const exit = { code, signal, lastMessages: await this.#options.lastMessages() };
      if (!(await this.#startAgain())) return this.#giveUp(exit);
      for (const callback of this.#onRestart) callback(exit);
    }
  }

  /** @returns false if it may not or cannot be restarted */
  async #startAgain(): Promise<boolean> {
    if (!this.#options.restart) return false;
    if (performance.now() - this.#startedAtMs >= RECOVERED_AFTER_MS) this.#startsInARow = 0;
    while (this.#startsInARow < DELAYS_MS.length) {
      await this.#wait(DELAYS_MS[this.#startsInARow] ?? 0);
      const running = await this.#launch();
      if (this.#stopping.signal.aborted && running === null) return false;
      this.#startsInARow += 1;
      if (running === null) continue;
      this.#startedAtMs = performance.now();
      this.#current = running;
      // Stopped during the start: nothing else ends this server.
      if (this.#stopping.signal.aborted) await this.#end(running);
      return true;
    }
    return false;
  }

  /** Retries while the disk is full. @returns null if the start fails for another reason, or is stopped meanwhile */
  async #launch(): Promise<RunningServer | null> {
    const { launch, isOutOfSpace, onOutOfSpace } = this.#options;
    for (let attempt = 0; !this.#stopping.signal.aborted; attempt++) {
      try {
        return await launch();
      } catch (error) {
        if (!(await isOutOfSpace(error))) return null;
        if (attempt === 0) onOutOfSpace();
        await this.#wait(SPACE_RETRY_MS);
      }
    }
    return null;
  }

  /** @param ms cut short by `stop` */
  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }

  async #end({ server, guard }: RunningServer): Promise<void> {
    await stopServer(server);
    guard.dismiss();
  }

  #giveUp(exit: UnexpectedExit): void {
    if (this.#stopping.signal.aborted) return;
    this.#gone = exit;
    for (const callback of this.#onExit) callback(exit);
  }
}
