import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../api-keys.ts';
import { principalOf } from './guard.ts';

/** The scope that a key needs for a controller's method. A method without it keeps the application from starting. */
export const RequiresScope = (scope: Scope) => RouteConfig({ scope });

/** The account of the caller, as a controller method's argument. */
export const Account = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()).account,
);
