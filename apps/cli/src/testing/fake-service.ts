import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemOf, type ProblemCode } from '@laurel/schemas';
import { localSocketPath } from '@laurel/runtime';

export interface FakeRequest {
  /** Method and path, such as `GET /admin/v1/status`. */
  readonly route: string;
  readonly body: string;
  readonly key: string | null;
  /** Missing if none was sent. */
  readonly idempotencyKey?: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with the status 200 that continues, after this text, with bytes that are not HTTP. */
export interface GarbledAnswer {
  readonly garbledBehind: string;
}

/**
 * Answers by route. A list answers one request after the other, and its last answer repeats. `drop` breaks the
 * connection, `hang` never answers.
 */
export type FakeAnswers = Readonly<Record<string, FakeReply | readonly FakeReply[]>>;
type FakeReply = FakeAnswer | GarbledAnswer | 'drop' | 'hang';

export interface FakeService {
  /** Variables with which the command line finds it by its socket. */
  readonly variables: Readonly<Record<string, string>>;
  /** The data folder. */
  readonly folder: string;
  /** Its address over HTTP. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  close(): Promise<void>;
}

export const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
export const refused = (code: ProblemCode, detail = 'It is refused.', headers = {}): FakeAnswer => {
  const problem = problemOf(code, detail);
  return { status: problem.status, body: problem, headers };
};

/**
 * Answers like a service, on a socket and over HTTP.
 * @param given the data folder, which is removed when the service is closed. Default: a new one
 */
export async function fakeService(answers: FakeAnswers, given?: string): Promise<FakeService> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'laurel-fake-')));
  const requests: FakeRequest[] = [];
  const asked = new Map<string, number>();
  const reply = (request: FakeRequest): FakeReply => {
    requests.push(request);
    const of = answers[request.route];
    if (of === undefined) return refused('unknown_path', 'There is nothing at this path.');
    const all = Array.isArray(of) ? (of as readonly FakeReply[]) : [of as FakeReply];
    const turn = asked.get(request.route) ?? 0;
    asked.set(request.route, turn + 1);
    return all[Math.min(turn, all.length - 1)] ?? 'drop';
  };
  const handle = (incoming: IncomingMessage, response: ServerResponse): void =>
    void requestOf(incoming).then((request) => send(response, reply(request)));
  const servers = [createServer(handle), createServer(handle)] as const;
  servers[0].listen(await localSocketPath(folder));
  servers[1].listen(0, '127.0.0.1');
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    variables: { LAUREL_DATA_DIR: folder },
    folder,
    url: `http://127.0.0.1:${(servers[1].address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<FakeRequest> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  const { 'x-api-key': key, 'idempotency-key': idempotencyKey } = incoming.headers;
  return {
    ...{ route: `${incoming.method} ${incoming.url}`, body, key: typeof key === 'string' ? key : null },
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
  };
}

function send(response: ServerResponse, reply: FakeReply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') return void response.destroy();
  if ('garbledBehind' in reply) {
    response.setHeader('x-request-id', 'fake');
    response.write(reply.garbledBehind);
    return void response.socket?.end('no chunk\r\n');
  }
  const { status, body, headers } = reply;
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'fake', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
