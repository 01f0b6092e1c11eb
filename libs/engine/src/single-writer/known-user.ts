import type { AnyUserArea, UserOnRecord } from '@laurel/kernel';
import type { Document } from '../folding/document.ts';

/**
 * Reads the user for decisions from the area that knows users. Without such an area, no command is refused because of
 * its user.
 */
export function knownUserBy(areas: readonly AnyUserArea[]): (document: Document) => UserOnRecord {
  const index = areas.findIndex((area) => area.knownUser !== undefined);
  const area = areas[index];
  return (document) => area?.knownUser?.(document[index]) ?? UNKNOWN_USER;
}

const UNKNOWN_USER: UserOnRecord = { isCreated: false, isErased: false, attributes: new Map() };
