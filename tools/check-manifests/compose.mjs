// Reads a compose file as `docker compose config` would show it: merged, with its variables put in.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** `${NAME}`, `${NAME:-fallback}`, `${NAME:?message}`; `$$` is a dollar. */
const VARIABLE = /\$(?:\$|\{([A-Za-z_]\w*)(?::([-?])([^{}]*))?\})/g;

/**
 * @param {string} file
 * @param {ReadonlyMap<string, string>} variables the content of the .env file
 * @throws {Error} for a required variable that is missing, or an unknown form of substitution
 */
export function readCompose(file, variables) {
  const document = parse(readFileSync(file, 'utf8'), { merge: true });
  try {
    return interpolate(document, variables);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

function interpolate(node, variables) {
  if (typeof node === 'string') return putIn(node, variables);
  if (Array.isArray(node)) return node.map((item) => interpolate(item, variables));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, interpolate(value, variables)]));
}

function putIn(text, variables) {
  if (/\$/.test(text.replace(VARIABLE, ''))) throw new Error(`a form of substitution that is not known here: ${text}`);
  return text.replace(VARIABLE, (whole, name, operator, operand) => {
    if (whole === '$$') return '$';
    const value = variables.get(name) ?? '';
    if (value !== '') return value;
    if (operator === '-') return operand;
    throw new Error(`required variable ${name} is missing a value${operator === '?' ? `: ${operand}` : ''}`);
  });
}

/** Names of the variables that a compose file requires. */
export const requiredVariables = (file) => [
  ...new Set([...readFileSync(file, 'utf8').matchAll(/\$\{([A-Za-z_]\w*):\?/g)].map(([, name]) => name)),
];

/** The services that are built from this checkout: name → app. */
export const builtServices = (compose) =>
  new Map(
    Object.entries(compose.services).flatMap(([name, { build }]) =>
      build === undefined ? [] : [[name, build.args.APP]],
    ),
  );
