/** The parts of JSON Schema (2020-12) that our schemas use. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  not?: JsonSchema;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  maxProperties?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Rewrites the direct subschemas of a schema. */
export function mapSubschemas(schema: JsonSchema, map: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, additionalProperties, items, prefixItems, anyOf, oneOf, allOf, $defs } = schema;
  const values = (record: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, map(inner)]));
  return {
    ...schema,
    ...(properties && { properties: values(properties) }),
    ...($defs && { $defs: values($defs) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
    ...(typeof items === 'object' && { items: map(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(map) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(oneOf && { oneOf: oneOf.map(map) }),
    ...(allOf && { allOf: allOf.map(map) }),
  };
}
