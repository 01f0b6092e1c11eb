import { EventStoreDBClient } from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { NoAnswerError } from './append-errors.ts';
import { allowTlsToAddresses } from './tls-to-addresses.ts';

/** The client reports at its own deadline whether a call was sent at all, so it gets this extra time. */
const GRACE_MS = 250;

/** A frozen node does not answer gossip either, and the client's defaults, ten rounds of 5 s for each node, would outlast every append. */
const DISCOVERY = { gossipTimeout: '2', maxDiscoverAttempts: '3' };

interface Channel {
  close(): void;
}

/** Members that the client does not declare. */
interface Internals {
  supports: () => Promise<boolean>;
  createChannel: () => Promise<Channel>;
}

/** A client of the server with its calls. A retired connection takes no more calls, and closes its channels after the last call. */
export class Connection {
  readonly #client: EventStoreDBClient;
  readonly #clock: Clock;
  /** The client itself closes a channel before it opens the next. */
  #channel: Channel | null = null;
  #calls = 0;
  #retired = false;

  /** Connects at the first call. @throws Error if the URL is invalid */
  constructor(url: string, clock: Clock) {
    allowTlsToAddresses();
    this.#client = EventStoreDBClient.connectionString(withDiscovery(url));
    this.#clock = clock;
    const internals = this.#client as unknown as Internals;
    const createChannel = internals.createChannel;
    Object.assign(internals, {
      // Reports that no server supports batch appends.
      supports: () => Promise.resolve(false),
      createChannel: async () => this.#keep(await createChannel()),
    });
  }

  /**
   * Makes a call. A result after the limit is ignored.
   * @throws NoAnswerError if the call has not ended within the limit
   */
  async run<T>(limitMs: number, call: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    this.#calls += 1;
    const running = Promise.resolve(this.#client)
      .then(call)
      .finally(() => this.#ended());
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(limitMs + GRACE_MS, () =>
        reject(new NoAnswerError(limitMs, this.#channel !== null)),
      );
      running.then(resolve, reject).finally(cancel);
    });
  }

  /** Counts as a call until the returned function is called. */
  hold(): () => void {
    this.#calls += 1;
    return () => this.#ended();
  }

  /** Opens a cursor or a subscription, which is cancelled when the connection is retired. */
  open<T>(call: (client: EventStoreDBClient) => T): T {
    return call(this.#client);
  }

  retire(): void {
    this.#retired = true;
    if (this.#calls === 0) void this.close();
  }

  async close(): Promise<void> {
    this.#retired = true;
    await this.#client.dispose();
    this.#channel?.close();
  }

  #keep(channel: Channel): Channel {
    if (this.#retired) {
      channel.close();
      // The connection was retired while the client looked for the leader: nothing may be sent through it.
      throw new Error('No connection established: another one has taken its place');
    }
    this.#channel = channel;
    return channel;
  }

  #ended(): void {
    this.#calls -= 1;
    if (this.#retired && this.#calls === 0) void this.close();
  }
}

/** Adds limits for the search for the leader, unless the URL has its own. */
function withDiscovery(url: string): string {
  const missing = Object.entries(DISCOVERY).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  return missing.reduce((longer, [name, value]) => `${longer}${longer.includes('?') ? '&' : '?'}${name}=${value}`, url);
}

/** The URL of the first node of a cluster, or of the name that resolves to its nodes. */
export const urlOfOneNode = (url: string): string =>
  url.replace(/^(\w+)(?:\+discover)?:\/\/([^@/?]*@)?([^,/?]+)[^/?]*/i, '$1://$2$3');
