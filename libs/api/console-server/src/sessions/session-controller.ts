import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  ProblemError,
  problemOf,
  signInRequest,
  type ConsoleSession,
  type CurrentSession,
  operations,
} from '@laurel/schemas';
import {
  basePathOf,
  invalidField,
  isFromOwnPage,
  Route,
  SESSION_COOKIE,
  sessionToken,
  validBody,
} from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PORTS, type ConsolePorts } from '../ports.ts';
import { browserConnection } from './browser-connection.ts';
import { LONGEST_MS, type OpenedSession } from './console-sessions.ts';

/** Signs in and out (specification, 9.18). */
@Controller()
export class SessionController {
  readonly #ports: ConsolePorts;

  constructor(@Inject(CONSOLE_PORTS) ports: ConsolePorts) {
    this.#ports = ports;
  }

  @Route(operations.signIn)
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsoleSession> {
    const { attempts, publicUrl } = this.#ports;
    const credentials = readCredentials(request);
    const connection = browserConnection(request, publicUrl);
    if (connection === 'open') throw new ProblemError(problemOf('forbidden', UNENCRYPTED));
    if (saysWhere(request) && !isFromOwnPage(request, publicUrl))
      throw new ProblemError(problemOf('forbidden', 'Signing in works only from a page of this service.'));
    const caller = addressOf(request, publicUrl);
    const wait = attempts.waitOf(caller);
    if (wait > 0)
      throw new ProblemError(
        problemOf(
          'rate_limited',
          'Ten attempts to sign in have failed within a minute; ask again when Retry-After has passed.',
        ),
        { 'retry-after': String(Math.ceil(wait / 1_000)) },
      );
    attempts.note(caller);
    const opened = await this.#open(credentials).catch((error: unknown) => {
      // The store could not be reached, so the key may be valid.
      attempts.forgive(caller);
      throw error;
    });
    if (opened === null) throw new ProblemError(problemOf('unauthorized', refusalOf(credentials)));
    attempts.forgive(caller);
    void reply.header('set-cookie', cookie(opened.token, LONGEST_MS / 1_000, connection === 'encrypted', publicUrl));
    void reply.header('cache-control', 'no-store');
    return opened.session;
  }

  @Route(operations.getSession)
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<CurrentSession> {
    void reply.header('cache-control', 'no-store');
    const session = await this.#sessionOf(request);
    return { session, missing: session === null ? [] : [...this.#ports.missing] };
  }

  @Route(operations.signOut)
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const { sessions, publicUrl } = this.#ports;
    if (!isFromOwnPage(request, publicUrl))
      throw new ProblemError(problemOf('forbidden', 'Signing out works only from a page of this service.'));
    const token = sessionToken(request);
    if (token !== null) await sessions.endOf(token);
    void reply.header('set-cookie', cookie('', 0, browserConnection(request, publicUrl) === 'encrypted', publicUrl));
  }

  #open({ key, token }: Credentials): Promise<OpenedSession | null> {
    const { sessions } = this.#ports;
    return key === null ? sessions.openWithLink(token) : sessions.openWithKey(key);
  }

  async #sessionOf(request: FastifyRequest): Promise<ConsoleSession | null> {
    const token = sessionToken(request);
    return token === null ? null : this.#ports.sessions.show(token);
  }
}

type Credentials = { readonly key: string; readonly token: null } | { readonly key: null; readonly token: string };

function readCredentials(request: FastifyRequest): Credentials {
  const { key = null, token = null } = validBody(signInRequest, request);
  if (key !== null && token === null) return { key, token };
  if (key === null && token !== null) return { key, token };
  throw invalidField('key', 'or token must be given, and not both');
}

const refusalOf = ({ key }: Credentials): string =>
  key === null
    ? 'The link was used already, is older than 30 minutes, or was made with a key that was revoked or has expired.'
    : 'The API key is unknown, or it was revoked or has expired.';

const UNENCRYPTED =
  'Signing in over plain HTTP works only in a browser on the machine of the service. Put the service behind TLS and set LAUREL_PUBLIC_URL to its https address.';

/**
 * The address for counting attempts. Behind the operator's proxy, it is the last one in the header, the one that the
 * proxy saw; the caller may have forged the others.
 */
function addressOf({ ip, headers }: FastifyRequest, publicUrl: string | null): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim();
  return publicUrl === null || forwarded === undefined || forwarded === '' ? ip : forwarded.slice(0, 64);
}

/** Whether the request names its origin. Browsers always do; a program with a key need not. */
const saysWhere = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;

/** The path hides the cookie from other services on the same host. */
const cookie = (token: string, seconds: number, secure: boolean, publicUrl: string | null): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; Path=${basePathOf(publicUrl) || '/'}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
