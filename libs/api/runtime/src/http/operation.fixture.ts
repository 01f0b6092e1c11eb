import type { RoutedOperation } from './route.ts';

/** An operation that is served here alone: answered with 200. */
export const operation = (
  method: RoutedOperation['method'],
  path: string,
  scope: RoutedOperation['scope'],
): RoutedOperation => ({ method, path, scope, answers: { 200: { description: 'Done.', schema: null } } });
