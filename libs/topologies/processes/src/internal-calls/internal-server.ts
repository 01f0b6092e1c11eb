import type { AddressInfo, Server } from 'node:net';
import { decodeExact, encodeExact } from '@laurel/engine';
import { GuardedTcpServer, type GuardedTcpServerOptions } from './guarded-tcp-server.ts';
import { LONGEST_ANSWER, type Reply } from './wire.ts';

/** Answers a call; null stands for nothing. The caller gets the message of an error that it throws. Payloads are plain objects, arrays, bigint, Map. */
export type CallHandler = (payload: unknown) => Promise<unknown>;
/** By the name under which they are called. */
export type CallHandlers = ReadonlyMap<string, CallHandler>;

/** Port 0: any that is free. The token is that of LAUREL_INTERNAL_TOKEN. */
export interface InternalServerOptions extends GuardedTcpServerOptions {
  readonly handlers: CallHandlers;
  /** Calls under way at a time; further ones are turned away. Default 10,000. */
  readonly mostUnderWay?: number;
}

/** Where other processes of the same installation reach this one. */
export class InternalServer {
  readonly #server: GuardedTcpServer;

  private constructor(server: GuardedTcpServer) {
    this.#server = server;
  }

  /** @throws what the operating system says if the address cannot be listened on. */
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

  /** Drops all connections: callers whose answers were under way find this process unreachable, and ask another. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.unwrap<Server>().once('close', () => resolve());
      this.#server.close();
    });
  }
}

/** Lets so many through at a time. */
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
