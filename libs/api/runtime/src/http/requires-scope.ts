import type { Scope } from '@laurel/schemas';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { credentialOf, principalOf } from './guard.ts';

/**
 * The scope that a key needs for a controller's method, or several, each of which suffices; a method without it keeps the
 * application from starting.
 * `bodyLimit`: bytes, instead of the application's limit. `takesLines`: the body may also be lines (NDJSON) without an end.
 */
export const RequiresScope = (
  scope: Scope | readonly Scope[],
  options: { readonly bodyLimit?: number; readonly takesLines?: boolean } = {},
) => RouteConfig({ scopes: [scope].flat(), ...options });

/** As whom the log names the caller, as a controller method's argument. */
export const Caller = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => principalOf(context.switchToHttp().getRequest<FastifyRequest>()).by,
);

/** The account of the caller, as a controller method's argument. */
export const Account = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()).account,
);

/** Whether a browser's session calls, and no key and not the local socket; as a controller method's argument. */
export const BySession = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    credentialOf(context.switchToHttp().getRequest<FastifyRequest>()).kind === 'session',
);
