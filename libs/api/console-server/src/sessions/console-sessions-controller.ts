import { Controller, Inject } from '@nestjs/common';
import {
  isUuid,
  consoleLinkRequest,
  ProblemError,
  problemOf,
  type ConsoleLink,
  type ConsoleSession,
  SCOPES,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, credentialOf, principalOf, Route, validBody } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { CONSOLE_PORTS, type ConsolePorts } from '../ports.ts';

/** Creates links that sign in once; lists and ends sessions (specification, 9.18). */
@Controller()
export class ConsoleSessionsController {
  readonly #ports: ConsolePorts;

  constructor(@Inject(CONSOLE_PORTS) ports: ConsolePorts) {
    this.#ports = ports;
  }

  @Route(operations.createConsoleLink)
  async link(@Call() { request }: ApiCall): Promise<ConsoleLink> {
    const principal = principalOf(request);
    const { scopes } = principal;
    const { scopes: named } = validBody(consoleLinkRequest, request);
    const linked = SCOPES.filter((scope) => named?.includes(scope) ?? scopes.has(scope));
    const missing = linked.filter((scope) => !scopes.has(scope));
    if (missing.length > 0)
      throw new ProblemError(
        problemOf('forbidden', `The caller lacks the scope ${missing.join(', ')}, so a link cannot have it.`),
      );
    const link = await this.#ports.sessions.link(principal, linked, credentialOf(request));
    if (link === null)
      throw new ProblemError(
        problemOf(
          'forbidden',
          'A session that a link of the local socket has opened cannot make links. Make one with an API key, or with `npx laurel console`.',
        ),
      );
    const { token, expiresAt } = link;
    return { url: `${this.#ports.publicUrl ?? urlOf(request)}/console#token=${token}`, scopes: linked, expiresAt };
  }

  @Route(operations.listConsoleSessions)
  async list(@Call() { account }: ApiCall): Promise<ConsoleSession[]> {
    return [...(await this.#ports.sessions.list(account))];
  }

  @Route(operations.endConsoleSession)
  async end(@Call() { account, path: { id } }: ApiCall<'id'>): Promise<ConsoleSession> {
    const ended = isUuid(id) ? await this.#ports.sessions.end(account, id) : null;
    if (ended === null) throw new ProblemError(problemOf('unknown_session', 'There is no session with this id.'));
    return ended;
  }
}

/** The address for browsers on this machine. Without a public address, no other browser may sign in. */
function urlOf({ server }: FastifyRequest): string {
  const address = server.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 80;
  return `http://localhost:${port}`;
}
