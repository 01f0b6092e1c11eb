import { EventStoreDBClient } from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { NoAnswerError } from './append-errors.ts';
import { allowTlsToAddresses } from './tls-to-addresses.ts';

/** The client finds out by its own deadline whether a call was sent at all, so it gets time to say so. */
const GRACE_MS = 250;

/** A frozen node does not answer gossip either. The client's defaults, ten rounds of 5 s for each node, would outlast every append. */
const DISCOVERY = { gossipTimeout: '2', maxDiscoverAttempts: '3' };

interface Channel {
  close(): void;
}

/** What the client does not show of itself. */
interface Internals {
  supports: () => Promise<boolean>;
  createChannel: () => Promise<Channel>;
}

/**
 * One client of the server with its calls. One that is retired takes no more calls, and closes its channels once those that it has
 * taken have ended.
 */
export class Connection {
  readonly #client: EventStoreDBClient;
  readonly #clock: Clock;
  /** The client closes one itself before it makes another. */
  #channel: Channel | null = null;
  #calls = 0;
  #retired = false;

  /** Connects when it is first used. @throws Error if the URL is none. */
  constructor(url: string, clock: Clock) {
    allowTlsToAddresses();
    this.#client = EventStoreDBClient.connectionString(withDiscovery(url));
    this.#clock = clock;
    const internals = this.#client as unknown as Internals;
    const createChannel = internals.createChannel;
    Object.assign(internals, {
      // Says of every server that it takes no batches.
      supports: () => Promise.resolve(false),
      createChannel: async () => this.#keep(await createChannel()),
    });
  }

  /**
   * Makes a call. Once it has failed by the limit, its later outcome is ignored.
   * @throws NoAnswerError if it has not ended within the limit
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

  /** For calls that have no end; they are cancelled when the connection is retired. */
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
      // Nothing may be sent any more through a client that was given up while it looked for the leader.
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

/** The URL with limits to the search for the leader, unless it has its own. */
function withDiscovery(url: string): string {
  const missing = Object.entries(DISCOVERY).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  return missing.reduce((longer, [name, value]) => `${longer}${longer.includes('?') ? '&' : '?'}${name}=${value}`, url);
}

/** The URL of a cluster as that of the first node that it names, or of the name by which its nodes are found. */
export const urlOfOneNode = (url: string): string =>
  url.replace(/^(\w+)(?:\+discover)?:\/\/([^@/?]*@)?([^,/?]+)[^/?]*/i, '$1://$2$3');
