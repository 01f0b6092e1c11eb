import type { AreaName } from '@laurel/kernel';
import { CHAIN_SERVICES, GATEWAYS, OUTGOING_SERVICE, serviceOf, type ChainServiceSchema } from '@laurel/ports';

const [INGESTION_GATEWAY, QUERY_GATEWAY] = GATEWAYS;

/** Each process kind owns a schema of the database, and no other process writes to it. These are the schemas outside the chain. */
export const SCHEMAS = {
  ingestion: INGESTION_GATEWAY.schema,
  query: QUERY_GATEWAY.schema,
  outgoing: OUTGOING_SERVICE.schema,
  /** API keys, which the gateways share. */
  keys: 'laurel_keys',
} as const;

export type SchemaName = (typeof SCHEMAS)[keyof typeof SCHEMAS] | ChainServiceSchema;

export const EVERY_SCHEMA: readonly SchemaName[] = [
  ...Object.values(SCHEMAS),
  ...CHAIN_SERVICES.map(({ schema }) => schema),
];

/** The schema with the read models of an area. */
export const schemaOf = (area: AreaName): ChainServiceSchema => serviceOf(area).schema;
