/** A schema as the client's generator makes it, in `core/schemas/Schema.d.ts`. */
export interface TrophySchema {
  parse(raw: unknown, options: object): Promise<Parsed> | Parsed;
}
interface ObjectSchema extends TrophySchema {
  _getRawProperties(): Promise<readonly string[]>;
}
type Parsed = { readonly ok: true } | { readonly ok: false; readonly errors: readonly SchemaError[] };
interface SchemaError {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The schema with this name: of an object (`User`), or of a route's answer by the name in the client's code
 * (`users.allMetrics`).
 */
export async function trophySchema(name: string): Promise<TrophySchema> {
  const serializers: Record<string, unknown> = await import('@trophyso/node/serialization/index.js');
  const [group = '', route] = name.split('.');
  const found = serializers[group] as Record<string, { Response: unknown }> | undefined;
  const schema = route === undefined ? found : found?.[route]?.Response;
  if (schema === undefined) throw new Error(`the client has no schema ${name}`);
  return schema as unknown as TrophySchema;
}

/** The names of an object's fields, both required and optional. */
export async function rawFields(name: string): Promise<readonly string[]> {
  return ((await trophySchema(name)) as ObjectSchema)._getRawProperties();
}

/** The client itself ignores unknown enumeration values and object keys. These options do not. */
const STRICT = { unrecognizedObjectKeys: 'fail', allowUnrecognizedEnumValues: false };

/**
 * All differences between an answer and the client's schema. Their places leave out data: indexes, and keys of maps.
 */
export async function strictDifferences(name: string, answer: unknown): Promise<readonly string[]> {
  const parsed = await (await trophySchema(name)).parse(answer, STRICT);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${[name, ...placeOf(path)].join('.')}: ${message}`);
}

const MAPS = new Set(['points', 'leaderboards']);

const placeOf = (path: readonly string[]): readonly string[] =>
  path.map((part, index) => (part.startsWith('[') || MAPS.has(path[index - 1] ?? '') ? '*' : part));
