import type { Configuration } from '@laurel/kernel';
import { OPERATIONS } from '@laurel/schemas';
import type { OpenApiDocument } from './openapi-document.ts';
import type { OperationObject } from './operation-object.ts';

interface ShownParameter {
  readonly name: string;
  readonly description?: string;
  readonly [field: string]: unknown;
}

/**
 * The document with example requests that the service can carry out, because they use keys of the configuration in
 * force. An example without a fitting key is left out. Only a few keys of the configuration appear in the document,
 * because it is public; the key of a hidden achievement never does.
 */
export function withConfiguredExamples(described: OpenApiDocument, configuration: Configuration): OpenApiDocument {
  const achievements = configuration.achievements.filter(({ hidden }) => !hidden);
  const shown = { ...configuration, achievements };
  const keys = exampleKeys(shown);
  const bodies = exampleBodies(shown);
  const paths = Object.entries(described.paths).map(([path, operations]) => {
    const filled = Object.entries(operations).map(([method, operation]) => [
      method,
      withBody(withKey(operation, path, keys), bodies),
    ]);
    return [path, Object.fromEntries(filled)] as const;
  });
  return { ...described, paths: Object.fromEntries(paths) };
}

type Keys = Readonly<Record<string, string | undefined>>;

/** Keys for the placeholders `{key}` and `{level}`, by the path segment before them. */
function exampleKeys({ metrics, achievements, pointsSystems, leaderboards }: Configuration): Keys {
  return {
    metrics: metrics[0]?.key,
    achievements: achievements.find(({ trigger }) => trigger.type === 'api')?.key,
    points: pointsSystems[0]?.key,
    leaderboards: leaderboards[0]?.key,
    levels: pointsSystems[0]?.levels[0]?.key,
  };
}

function withKey(operation: OperationObject, path: string, keys: Keys): OperationObject {
  const kinds = new Map([...path.matchAll(/(\w+)\/\{(key|level)\}/g)].map(([, kind = '', name = '']) => [name, kind]));
  if (kinds.size === 0) return operation;
  const parameters = (operation.parameters ?? []) as readonly ShownParameter[];
  const shown = (one: ShownParameter) => {
    const kind = kinds.get(one.name);
    return kind === undefined ? one : keyParameter(one, keys[kind]);
  };
  return { ...operation, parameters: parameters.map(shown) };
}

function keyParameter({ example: _, ...parameter }: ShownParameter, key: string | undefined): ShownParameter {
  if (key !== undefined) return { ...parameter, example: key };
  return { ...parameter, description: `${parameter.description ?? ''} The configuration in force has none.`.trim() };
}

/**
 * Example bodies by operation; undefined for an operation without an example. Sending an example publication would
 * replace the configuration, and the ids of correctable events differ between services.
 */
const exampleBodies = ({ metrics, achievements, pointsSystems, streak }: Configuration): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['recordBatch', batch(metrics.map(({ key }) => key))],
    ['publishConfiguration', undefined],
    ['previewCorrection', undefined],
    ['correctEvents', undefined],
    ['grantPoints', pointsSystems[0] && { ...exampleOf('grantPoints'), pointsSystem: pointsSystems[0].key }],
    ['grantBoost', pointsSystems[0] && { ...exampleOf('grantBoost'), pointsSystem: pointsSystems[0].key }],
    ['grantFreezes', streak?.freezes ? exampleOf('grantFreezes') : undefined],
    ...['grantAchievement', 'revokeAchievement'].map(
      (id) => [id, achievements[0] && { ...exampleOf(id), achievement: achievements[0].key }] as const,
    ),
    ['createStreakFreezes', streak?.freezes ? exampleOf('createStreakFreezes') : undefined],
    ...['restoreStreak', 'restoreStreaks', 'excuseDays', 'grantToMany'].map(
      (id) => [id, streak === null ? undefined : exampleOf(id)] as const,
    ),
  ]);

/** The events of the example, each with a configured metric. */
function batch(metrics: readonly string[]): unknown {
  const { events } = exampleOf('recordBatch') as { readonly events: readonly object[] };
  return { events: events.map((event, index) => ({ ...event, metric: metrics[index % metrics.length] })) };
}

const exampleOf = (operation: string): object => OPERATIONS.find(({ id }) => id === operation)?.body?.example as object;

interface RequestBodyObject {
  readonly content: { readonly 'application/json': { readonly example?: unknown } };
}

function withBody(operation: OperationObject, bodies: ReadonlyMap<string, unknown>): OperationObject {
  if (!bodies.has(operation.operationId)) return operation;
  const { content, ...body } = operation.requestBody as RequestBodyObject;
  const { example: _, ...media } = content['application/json'];
  const example = bodies.get(operation.operationId);
  const shown = { ...media, ...(example !== undefined && { example }) };
  return { ...operation, requestBody: { ...body, content: { 'application/json': shown } } };
}
