import type { AnyUserArea, UserOnRecord } from '@laurel/kernel';
import type { Document } from '../folding/document.ts';

/** What commands of a user are decided on, by the area that knows users; if there is none, it refuses nothing. */
export function knownUserIn(areas: readonly AnyUserArea[], document: Document): UserOnRecord {
  const place = areas.findIndex((area) => area.knownUser !== undefined);
  return areas[place]?.knownUser?.(document[place]) ?? UNKNOWN_USER;
}

const UNKNOWN_USER: UserOnRecord = { isCreated: false, isErased: false, attributes: new Map() };
