import type { AddressInfo, Server } from 'node:net';
import { decodeExact, encodeExact } from '@laurel/engine';
import { GuardedTcpServer, type GuardedTcpServerOptions } from './guarded-tcp-server.ts';
import { LONGEST_ANSWER, type Reply } from './wire.ts';

/** Handles a call; null stands for no result. The caller gets the message of a thrown error. Payloads are plain objects, arrays, bigint, Map. */
export type CallHandler = (payload: unknown) => Promise<unknown>;
/** Handlers by the name of the call. */
export type CallHandlers = ReadonlyMap<string, CallHandler>;

/** Port 0 selects a free port. The token is the value of LAUREL_INTERNAL_TOKEN. */
export interface InternalServerOptions extends GuardedTcpServerOptions {
  readonly handlers: CallHandlers;
  /** The most concurrent calls; more are refused. Default: 10,000. */
  readonly mostUnderWay?: number;
}

/** Serves calls of other processes of the same installation. */
export class InternalServer {
  readonly #server: GuardedTcpServer;

  private constructor(server: GuardedTcpServer) {
    this.#server = server;
  }

  /** @throws the error of the operating system if it cannot listen on the address */
  static async listen(options: InternalServerOptions): Promise<InternalServer> {
    const server = new GuardedTcpServer(options);
    const gate = new Gate(options.mostUnderWay ?? 10_000);
    for (const [name, handler] of options.handlers)
      server.addHandler(name, (payload: unknown) => gate.pass(() => reply(handler, payload)));
    await new Promise<void>((resolve, reject) => {
      server.unwrap<Server>().once('error', reject);
      server.listen((error) => (error === undefined ? resolve() : reject(error as Error)));
    });
    return new InternalServer(server);
  }

  get port(): number {
    return (this.#server.unwrap<Server>().address() as AddressInfo).port;
  }

  /** Drops all connections: callers with pending calls find this process unreachable, and call another. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.unwrap<Server>().once('close', () => resolve());
      this.#server.close();
    });
  }
}

/** Limits the number of concurrent calls. */
class Gate {
  readonly #most: number;
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async pass(work: () => Promise<Reply>): Promise<Reply> {
    if (this.#underWay >= this.#most) return { kind: 'overloaded' };
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
    }
  }
}

async function reply(handler: CallHandler, payload: unknown): Promise<Reply> {
  try {
    const answer = encodeExact((await handler(decodeExact(payload as string))) ?? null);
    if (answer.length > LONGEST_ANSWER) throw new RangeError(`an answer of ${answer.length} characters is too long`);
    return { kind: 'answer', payload: answer };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
