import type { Clock } from '@laurel/ports';
import { decodeExact, encodeExact } from '@laurel/engine';
import { CallError } from './call-error.ts';
import { PeerConnection } from './peer-connection.ts';
import { LONGEST_REQUEST, type Reply } from './wire.ts';

export interface InternalClientsOptions {
  /** The value of LAUREL_INTERNAL_TOKEN. */
  readonly token: string;
  readonly clock: Clock;
  /** The most concurrent calls to one peer; more are refused. Default: 10,000. */
  readonly mostUnderWay?: number;
}

/** Calls to other processes of the same installation, over one connection to each. */
export class InternalClients {
  readonly #options: InternalClientsOptions;
  readonly #mostUnderWay: number;
  readonly #connections = new Map<string, PeerConnection>();
  readonly #retired = new Set<PeerConnection>();

  constructor(options: InternalClientsOptions) {
    this.#options = options;
    this.#mostUnderWay = options.mostUnderWay ?? 10_000;
  }

  /**
   * @param address `host:port`
   * @param payload plain objects, arrays, bigint, Map; the answer likewise
   * @param limitMs the limit for the answer
   * @throws CallError with the reason if there is no answer
   */
  async call(address: string, name: string, payload: unknown, limitMs: number): Promise<unknown> {
    const text = encodeExact(payload);
    if (text.length > LONGEST_REQUEST) throw new CallError('failed', `${text.length} characters are too many`);
    const connection = this.#connectionTo(address);
    if (connection.underWay >= this.#mostUnderWay) throw new CallError('overloaded', 'too many calls are under way');
    const startedAtMs = this.#options.clock.elapsedMs();
    try {
      return answerOf(await connection.call(name, text, limitMs));
    } catch (error) {
      if (isOver(error, connection.heardAtMs >= startedAtMs)) this.#retire(address, connection);
      throw error;
    }
  }

  close(): void {
    for (const connection of [...this.#connections.values(), ...this.#retired]) connection.close();
    this.#connections.clear();
    this.#retired.clear();
  }

  #connectionTo(address: string): PeerConnection {
    const present = this.#connections.get(address);
    if (present) return present;
    const connection = this.#open(address);
    this.#connections.set(address, connection);
    return connection;
  }

  #open(address: string): PeerConnection {
    const { token, clock } = this.#options;
    try {
      const connection = new PeerConnection(address, token, clock, () => this.#forget(address, connection));
      return connection;
    } catch (cause) {
      throw new CallError('unreachable', (cause as Error).message, { cause });
    }
  }

  #retire(address: string, connection: PeerConnection): void {
    if (this.#connections.get(address) !== connection) return;
    this.#connections.delete(address);
    this.#retired.add(connection);
    connection.retire();
  }

  #forget(address: string, connection: PeerConnection): void {
    this.#retired.delete(connection);
    if (this.#connections.get(address) === connection) this.#connections.delete(address);
  }
}

/** Whether to replace the connection. A peer that was silent during the whole call may have died without closing it; pending calls stay there. */
function isOver(error: unknown, heardMeanwhile: boolean): boolean {
  const failure = error instanceof CallError ? error.failure : null;
  return failure === 'unreachable' || failure === 'refused' || (failure === 'timed out' && !heardMeanwhile);
}

function answerOf(reply: Reply): unknown {
  switch (reply.kind) {
    case 'answer':
      return decodeExact(reply.payload);
    case 'failed':
      throw new CallError('failed', reply.message);
    case 'overloaded':
      throw new CallError('overloaded', 'too many calls are under way at the peer');
    case 'refused':
      throw new CallError(
        'refused',
        'the peer does not accept the token: is LAUREL_INTERNAL_TOKEN the same everywhere?',
      );
  }
}
