import type { ConfigurationDocument } from '@laurel/schemas';
import { decimalWarnings } from './decimal-warnings.ts';
import { weekWarnings } from './week-warnings.ts';

/** A doubtful setting in a valid document. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** All warnings about a valid document. Warnings do not prevent its publication. */
export const documentWarnings = (document: ConfigurationDocument): readonly Warning[] => [
  ...decimalWarnings(document),
  ...weekWarnings(document),
];
