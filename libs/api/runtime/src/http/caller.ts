import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { credentialOf, principalOf } from './guard.ts';

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
