import { Controller, Inject, Param, Req } from '@nestjs/common';
import {
  consoleLinkRequest,
  invalidRequest,
  ProblemError,
  problemOf,
  readRequest,
  type ConsoleLink,
  type ConsoleSession,
  SCOPES,
  operations,
} from '@laurel/schemas';
import { Account, credentialOf, jsonBody, principalOf, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { CONSOLE_PORTS, type ConsolePorts } from '../ports.ts';

/** Links that sign in once, and who is signed in (specification, 9.18). */
@Controller()
export class ConsoleSessionsController {
  readonly #ports: ConsolePorts;

  constructor(@Inject(CONSOLE_PORTS) ports: ConsolePorts) {
    this.#ports = ports;
  }

  @Route(operations.createConsoleLink)
  async link(@Req() request: FastifyRequest): Promise<ConsoleLink> {
    const principal = principalOf(request);
    const { scopes } = principal;
    const { data, errors } = readRequest(consoleLinkRequest, jsonBody(request));
    if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
    const asked = SCOPES.filter((scope) => data.scopes?.includes(scope) ?? scopes.has(scope));
    const missing = asked.filter((scope) => !scopes.has(scope));
    if (missing.length > 0)
      throw new ProblemError(
        problemOf('forbidden', `The caller lacks the scope ${missing.join(', ')}, so a link cannot have it.`),
      );
    const link = await this.#ports.sessions.link(principal, asked, credentialOf(request));
    if (link === null)
      throw new ProblemError(
        problemOf(
          'forbidden',
          'A session that a link of the local socket has opened cannot make links. Make one with an API key, or with `npx laurel console`.',
        ),
      );
    const { token, expiresAt } = link;
    return { url: `${this.#ports.publicUrl ?? urlOf(request)}/console#token=${token}`, scopes: asked, expiresAt };
  }

  @Route(operations.listConsoleSessions)
  async list(@Account() account: string): Promise<ConsoleSession[]> {
    return [...(await this.#ports.sessions.list(account))];
  }

  @Route(operations.endConsoleSession)
  async end(@Account() account: string, @Param('id') id: string): Promise<ConsoleSession> {
    const ended = UUID.test(id) ? await this.#ports.sessions.end(account, id) : null;
    if (ended === null) throw new ProblemError(problemOf('unknown_session', 'There is no session with this id.'));
    return ended;
  }
}

/** Where a browser on this machine reaches the service: without a public address, no other may sign in. */
function urlOf({ server }: FastifyRequest): string {
  const address = server.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 80;
  return `http://localhost:${port}`;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
