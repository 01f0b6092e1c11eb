import type { Clock } from '@laurel/ports';
import { CallError } from './call-error.ts';
import { QuietTcpClient } from './quiet-tcp-client.ts';
import { endpointOf, type Reply } from './wire.ts';

/** One connection to one peer, opened by the first call. It never reconnects: its owner opens another. */
export class PeerConnection {
  readonly #tcp: QuietTcpClient;
  readonly #clock: Clock;
  /** One function for each pending call, which rejects it. */
  readonly #underWay = new Set<(error: CallError) => void>();
  #heardAtMs = -Infinity;
  #retired = false;

  /** @throws RangeError if the address is invalid */
  constructor(address: string, token: string, clock: Clock, onClosed: () => void) {
    this.#clock = clock;
    this.#tcp = new QuietTcpClient(endpointOf(address), token, onClosed);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** When the peer last answered, by the clock's `elapsedMs`. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** @throws CallError `unreachable`, `timed out`, or `failed` if the peer has no such call */
  call(name: string, payload: string, limitMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancelTimer();
        this.#underWay.delete(fail);
        subscription.unsubscribe();
        settle();
        if (this.#retired && this.#underWay.size === 0) this.#tcp.destroy();
      };
      const fail = (error: CallError): void => end(() => reject(error));
      this.#underWay.add(fail);
      const cancelTimer = this.#clock.after(limitMs, () =>
        fail(new CallError('timed out', `no answer within ${limitMs} ms`)),
      );
      const subscription = this.#tcp.send<Reply, string>(name, payload).subscribe({
        next: (reply) => {
          this.#heardAtMs = this.#clock.elapsedMs();
          end(() => resolve(reply));
        },
        error: (error: unknown) => fail(callError(error)),
      });
    });
  }

  /** Takes no more calls, and closes after the last pending call. */
  retire(): void {
    this.#retired = true;
    if (this.#underWay.size === 0) this.#tcp.destroy();
  }

  close(): void {
    this.#tcp.destroy();
    for (const fail of [...this.#underWay]) fail(new CallError('unreachable', 'the connection was closed'));
  }
}

/** Nest answers an unknown call with a text; any other error comes from the connection. */
function callError(error: unknown): CallError {
  if (typeof error === 'string') return new CallError('failed', error);
  return new CallError('unreachable', (error as Error).message, { cause: error });
}
