import type { ConfigurationDocument } from '@laurel/schemas';
import { decimalWarnings } from './decimal-warnings.ts';
import { weekWarnings } from './week-warnings.ts';

/** Something of a valid document that is worth a second look. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** Everything of a valid document that is worth a second look. None of it keeps it from being published. */
export const documentWarnings = (document: ConfigurationDocument): readonly Warning[] => [
  ...decimalWarnings(document),
  ...weekWarnings(document),
];
