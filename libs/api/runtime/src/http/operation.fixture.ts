import type { RoutedOperation } from './route.ts';

/** An operation for a test, answered with 200. */
export const operation = <Path extends string>(
  method: RoutedOperation['method'],
  path: Path,
  scope: RoutedOperation['scope'],
): RoutedOperation & { readonly path: Path } => ({
  method,
  path,
  scope,
  answers: { 200: { description: 'Done.', schema: null } },
});
