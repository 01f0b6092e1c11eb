import { type HeldFile, isDemo } from '@laurel/administration';
import type { Publication } from '@laurel/configuration';

/** The configuration in force, for the banner of a start. */
export function configurationInWords(file: string | null, inForce: Publication | undefined, held: HeldFile): string {
  if (held.present?.overDemo) return `version ${inForce?.version}, the demo; ${held.note}`;
  if (held.present !== null) return `version ${inForce?.version}; ${file} was not published: see the log`;
  if (file !== null) return file;
  if (inForce !== undefined && isDemo(inForce.document))
    return 'a demo (a study app); for your own, set LAUREL_CONFIG and a new LAUREL_DATA_DIR';
  return `version ${inForce?.version}, as published; LAUREL_CONFIG is not set`;
}
