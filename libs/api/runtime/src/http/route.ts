import { type Operation, scopesOf } from '@laurel/schemas';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import type { ApiCall } from './call.ts';
import { NDJSON } from './ndjson.ts';

/** The part of an operation that defines its route. */
export type RoutedOperation = Pick<Operation, 'method' | 'path' | 'scope' | 'body' | 'answers'>;

/** The parameters in a path such as `/v1/users/{id}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The path parameters that the arguments of a method read from their `ApiCall`. */
type NamesTakenBy<Argument> = Argument extends Pick<ApiCall, 'account' | 'path'> ? keyof Argument['path'] : never;

/** Decorates a method that reads no other path parameters than these. */
type DecorateMethod<Name> = <Method extends (...args: never[]) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<NamesTakenBy<Parameters<Method>[number]> extends Name ? Method : never>,
) => void;

const METHODS = {
  get: RequestMethod.GET,
  post: RequestMethod.POST,
  put: RequestMethod.PUT,
  patch: RequestMethod.PATCH,
  delete: RequestMethod.DELETE,
} as const;

interface RouteOptions {
  /** In bytes. Default: the application's limit. */
  readonly bodyLimit?: number;
  /** Another operation served by the same method; it differs only in its path. */
  readonly alias?: RoutedOperation;
}

/**
 * Makes a controller's method serve an operation, with the method, path, scopes and media types of the operation. The
 * status is the lowest one that the operation describes, unless the method sets another. A method whose `ApiCall` names
 * a parameter that the operation's path lacks does not compile.
 */
export const Route = <Path extends string>(
  operation: RoutedOperation & { readonly path: Path },
  { alias, ...limits }: RouteOptions = {},
): DecorateMethod<NamesIn<Path>> =>
  applyDecorators(
    RequestMapping({
      method: METHODS[operation.method],
      path: [...(alias ? [alias] : []), operation].map(routePath),
    }),
    HttpCode(Math.min(...Object.keys(operation.answers).map(Number))),
    RouteConfig({ ...routeConfig(operation), ...limits }),
  );

/** The route of an operation outside controllers. */
export const routeOf = (operation: RoutedOperation) => ({
  method: operation.method,
  url: routePath(operation),
  config: routeConfig(operation),
});

const routePath = ({ path }: RoutedOperation): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const routeConfig = ({ body, ...operation }: RoutedOperation): FastifyContextConfig => ({
  scopes: scopesOf(operation),
  ...(body?.alternatives?.[NDJSON] && { takesLines: true }),
});
