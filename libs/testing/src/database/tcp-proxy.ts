import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server, type Socket } from 'node:net';

/**
 * A proxy between clients and a server of any protocol that imitates network faults: it cuts, delays and freezes
 * connections. On a connection that is not cut, no byte is lost, duplicated or reordered.
 */
export interface TcpProxy {
  /** Address for clients, as host:port. */
  readonly address: string;
  readonly port: number;
  /** The server; null refuses connections. A change applies to new connections. */
  target: NetConnectOpts | null;
  /** Delay of data in each direction, in milliseconds. */
  delayMs: number;
  /**
   * While true, no data passes in either direction, and no connection ends, as with a hanging host or a network that
   * drops packets.
   */
  frozen: boolean;
  /** Closes every connection, on both sides. */
  cut(): void;
  /**
   * Delays the answers on the connection whose client sends the next matching data, for `ms` milliseconds from then on.
   * The server gets everything without delay. Resolves when that data has arrived.
   */
  holdAnswers(matches: (data: Buffer) => boolean, ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. */
export async function openTcpProxy(target: NetConnectOpts | null = null): Promise<TcpProxy> {
  const proxy = new ListeningProxy(target);
  await proxy.listen();
  return proxy;
}

interface Hold {
  readonly matches: (data: Buffer) => boolean;
  readonly ms: number;
  readonly found: () => void;
}

class ListeningProxy implements TcpProxy {
  target: NetConnectOpts | null;
  delayMs = 0;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #holds: readonly Hold[] = [];
  #thaw: (() => void) | null = null;
  #thawed: Promise<void> = Promise.resolve();

  constructor(target: NetConnectOpts | null) {
    this.target = target;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get frozen(): boolean {
    return this.#thaw !== null;
  }

  set frozen(frozen: boolean) {
    if (frozen === this.frozen) return;
    this.#thaw?.();
    this.#thaw = null;
    if (frozen) this.#thawed = new Promise((resolve) => (this.#thaw = resolve));
  }

  cut(): void {
    for (const link of this.#links) link.cut();
  }

  async holdAnswers(matches: (data: Buffer) => boolean, ms: number): Promise<void> {
    await new Promise<void>((found) => {
      this.#holds = [...this.#holds, { matches, ms, found }];
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    this.frozen = false;
    await closed;
  }

  #accept(client: Socket): void {
    if (this.target === null) return void client.destroy();
    const link = new Link(client, connect({ ...this.target, allowHalfOpen: true }), {
      delayMs: () => this.delayMs,
      thawed: async () => {
        while (this.frozen) await this.#thawed;
      },
      holdMs: (data) => this.#takeHold(data),
      ended: () => this.#links.delete(link),
    });
    this.#links.add(link);
  }

  #takeHold(data: Buffer): number {
    const hold = this.#holds.find(({ matches }) => matches(data));
    if (!hold) return 0;
    this.#holds = this.#holds.filter((other) => other !== hold);
    hold.found();
    return hold.ms;
  }
}

interface Conditions {
  readonly delayMs: () => number;
  readonly thawed: () => Promise<void>;
  /** How long to delay the answers from this data of the client on. */
  readonly holdMs: (data: Buffer) => number;
  readonly ended: () => void;
}

/** Most bytes waiting in the proxy in each direction; the rest waits at the sender. */
const MOST_WAITING = 1024 * 1024;

/** A client's connection, with the connection to the server. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #conditions: Conditions;
  #heldUntil = 0;

  constructor(client: Socket, server: Socket, conditions: Conditions) {
    this.#client = client;
    this.#server = server;
    this.#conditions = conditions;
    for (const socket of [client, server])
      socket
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => void conditions.thawed().then(() => this.cut()));
    client.on('data', (data: Buffer) => this.#hold(data));
    this.#pass(client, server);
    this.#pass(server, client);
  }

  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
    this.#conditions.ended();
  }

  #hold(data: Buffer): void {
    const ms = this.#conditions.holdMs(data);
    if (ms > 0) this.#heldUntil = performance.now() + ms;
  }

  /** Passes data on in order: each step waits for the earlier ones. */
  #pass(from: Socket, to: Socket): void {
    let passed: Promise<void> = Promise.resolve();
    let waiting = 0;
    from.on('data', (data: Buffer) => {
      waiting += data.length;
      if (waiting > MOST_WAITING) from.pause();
      const dueAt = performance.now() + this.#conditions.delayMs();
      passed = passed.then(async () => {
        await this.#until(from, dueAt);
        to.write(data);
        waiting -= data.length;
        if (waiting <= MOST_WAITING) from.resume();
      });
    });
    from.on('end', () => {
      passed = passed.then(() => this.#until(from, 0)).then(() => void to.end());
    });
  }

  async #until(from: Socket, dueAt: number): Promise<void> {
    for (;;) {
      await this.#conditions.thawed();
      const heldUntil = from === this.#server ? this.#heldUntil : 0;
      const ms = Math.max(dueAt, heldUntil) - performance.now();
      if (ms <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, ms).unref());
    }
  }
}
