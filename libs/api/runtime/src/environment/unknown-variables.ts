import { nearName } from '@laurel/schemas/near-name';
import { VARIABLE_NAMES } from './environment-variables.ts';

const PREFIX = /^laurel_/i;

const SUFFIXES = [...VARIABLE_NAMES].map((name) => name.replace(PREFIX, ''));

/**
 * An error for each unknown variable whose name is close to a known one, because its value would be ignored silently.
 */
export function misspelledVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  return unknownNames(variables).flatMap((name) => {
    const meant = knownNameNear(name);
    return meant === null ? [] : [`${name} is unknown; did you mean ${meant}? Rename it, or unset it`];
  });
}

/** A warning for each other unknown variable. */
export function unknownVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  return unknownNames(variables)
    .filter((name) => knownNameNear(name) === null)
    .map((name) => `${name} is unknown to this release and has no effect`);
}

const unknownNames = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(variables).filter((name) => PREFIX.test(name) && !VARIABLE_NAMES.has(name) && variables[name]);

/** Compares names without the prefix, which would make any two names similar. */
function knownNameNear(name: string): string | null {
  const suffix = nearName(name.replace(PREFIX, ''), SUFFIXES);
  return suffix === null ? null : `LAUREL_${suffix}`;
}
