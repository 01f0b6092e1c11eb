import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

const ISSUER = 'https://tokens.example';
const KEY_ID = 'of-the-test';

/**
 * An authorization server for tests. It signs tokens for one client, and serves the key with which brokers check them.
 */
export class TokenServer {
  readonly clientId = 'laurel';
  readonly clientSecret = 'a secret: of the test+client';
  readonly issuer = ISSUER;
  readonly audience = 'kafka';
  readonly requests: TokenRequest[] = [];
  readonly issued: string[] = [];
  lifetimeSeconds = 300;
  /** The audience of further tokens; brokers refuse any other than {@link audience}. */
  grantedAudience = 'kafka';
  /** If set, answers instead of the server. */
  misbehave: ((response: ServerResponse) => void) | null = null;
  readonly #server: Server;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  static async open(): Promise<TokenServer> {
    const server = new TokenServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get tokenUrl(): string {
    return `${this.#address}/token`;
  }

  get jwksUrl(): string {
    return `${this.#address}/keys`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get #address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/keys') {
      const key = this.#keys.publicKey.export({ format: 'jwk' });
      return send(response, 200, { keys: [{ ...key, kid: KEY_ID, use: 'sig', alg: 'RS256' }] });
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const { authorization } = request.headers;
    this.requests.push({ authorization, form });
    if (this.misbehave) return this.misbehave(response);
    if (authorization !== this.#expected)
      return send(response, 401, { error: 'invalid_client', error_description: 'unknown client or wrong secret' });
    const token = this.#signed();
    this.issued.push(token);
    send(response, 200, { access_token: token, token_type: 'Bearer', expires_in: this.lifetimeSeconds });
  }

  get #expected(): string {
    const [id, secret] = [this.clientId, this.clientSecret].map((text) =>
      new URLSearchParams([['', text]]).toString().slice(1),
    );
    return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }

  #signed(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: ISSUER, aud: this.grantedAudience, sub: this.clientId, scope: 'kafka', jti: randomUUID() },
      ...{ iat: now, exp: now + this.lifetimeSeconds },
    };
    const body = [{ alg: 'RS256', kid: KEY_ID, typ: 'JWT' }, claims].map(base64).join('.');
    return `${body}.${sign('sha256', Buffer.from(body), this.#keys.privateKey).toString('base64url')}`;
  }
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
