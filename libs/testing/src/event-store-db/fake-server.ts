import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy in front of a fake server that cuts, refuses or freezes connections while the server goes on. */
export class FakeServer {
  /** While false, new connections are refused. */
  reachable = true;
  /** The number of accepted connections so far. */
  accepted = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #frozen = false;

  constructor(innerPort: number) {
    this.#server = createServer({ noDelay: true }, (client) => this.#take(client, innerPort));
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.size / 2;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** While true, connections stay open, new ones are accepted, and no data passes in either direction, as with a stopped process. */
  get frozen(): boolean {
    return this.#frozen;
  }

  set frozen(frozen: boolean) {
    this.#frozen = frozen;
    for (const socket of this.#sockets)
      if (frozen) socket.pause();
      else socket.resume();
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
    );
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #take(client: Socket, innerPort: number): void {
    if (!this.reachable) return void client.destroy();
    this.accepted += 1;
    const upstream = connect({ port: innerPort, host: '127.0.0.1', noDelay: true });
    this.#pass(client, upstream);
    this.#pass(upstream, client);
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from
      .on('error', () => undefined)
      .on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      })
      .on('data', (data) => void to.write(data))
      .on('end', () => to.end());
    if (this.#frozen) from.pause();
  }
}
