import type { JsonSchema } from './suggestions.ts';

/** Inserted by the build from docs/configuration.schema.json. */
declare const CONFIGURATION_SCHEMA: JsonSchema;

export const configurationSchema = CONFIGURATION_SCHEMA;
