import { AREAS, type AnyUserArea, type AreaName, type UserRef } from '@laurel/kernel';
import { ofState } from './damaged-state.ts';

export { userKey, type AnyUserArea, type UserRef } from '@laurel/kernel';

/** The areas whose state belongs to a user, in the order of the chain. */
export type UserAreaName = Exclude<AreaName, 'leaderboards'>;
export const USER_AREA_NAMES = AREAS.filter((name): name is UserAreaName => name !== 'leaderboards');

/** The states of one user, one per user area, in the order of the chain. Immutable. */
export type Document = readonly unknown[];

/** A document in its stored form: one jsonb column per area. */
export type StoredDocument = Readonly<Record<UserAreaName, unknown>>;

const blank = new WeakSet<Document>();

export function initialDocument(areas: readonly AnyUserArea[]): Document {
  const document = areas.map((area) => area.initial());
  blank.add(document);
  return document;
}

/** Whether nothing is recorded of the user: the document is an {@link initialDocument}. */
export const isBlank = (document: Document): boolean => blank.has(document);

/** @throws DamagedStateError if an area cannot read its stored state */
export const decodeDocument = (areas: readonly AnyUserArea[], stored: StoredDocument, user: UserRef): Document =>
  areas.map((area) => decodeState(area, stored[area.name], user));

/** @throws DamagedStateError if the area cannot read it. */
export function decodeState(area: AnyUserArea, json: unknown, user: UserRef): unknown {
  return json === null || json === undefined ? area.initial() : ofState(user, area, () => area.decode(json));
}

/** A {@link StoredDocument} as JSON text. */
export const encodeDocument = (areas: readonly AnyUserArea[], document: Document): string =>
  JSON.stringify(Object.fromEntries(areas.map((area, index) => [area.name, area.encode(document[index])])));
