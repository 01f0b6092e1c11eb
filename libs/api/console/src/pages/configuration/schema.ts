import type { JsonSchema } from './suggestions.ts';

/** Put in by the build: docs/configuration.schema.json. */
declare const CONFIGURATION_SCHEMA: JsonSchema;

export const configurationSchema = CONFIGURATION_SCHEMA;
