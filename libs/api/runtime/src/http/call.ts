import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf, principalOf } from './caller.ts';

/** The query as the router parsed it: a repeated parameter is an array. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call of a route that is not public. `Name`: the parameters in its path. */
export interface ApiCall<Name extends string = never> {
  readonly account: string;
  /** The caller, as the log names them. */
  readonly by: string;
  /** Whether a browser's session calls, rather than a key or the local socket. */
  readonly bySession: boolean;
  /** Decoded. */
  readonly path: Readonly<Record<Name, string>>;
  readonly query: Query;
  readonly request: FastifyRequest;
  /** For its status and headers: Nest sends what the method returns. */
  readonly reply: FastifyReply;
}

/** The call, as a controller method's argument. `Route` checks that the operation has its path parameters. */
export const Call = createParamDecorator((_data: unknown, context: ExecutionContext): ApiCall<string> => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const { account, by } = principalOf(request);
  return {
    account,
    by,
    bySession: credentialOf(request).kind === 'session',
    path: request.params as ApiCall<string>['path'],
    query: request.query as Query,
    request,
    reply: http.getResponse<FastifyReply>(),
  };
});
