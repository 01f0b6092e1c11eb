import type { JsonSchema } from './suggestions.ts';

/** The text of docs/configuration.schema.json, inserted by the build. */
declare const CONFIGURATION_SCHEMA: string;

export const configurationSchema = JSON.parse(CONFIGURATION_SCHEMA) as JsonSchema;
