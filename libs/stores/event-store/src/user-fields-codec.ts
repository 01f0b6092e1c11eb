import type { MetricEventRecorded, UserEvent, UserFields } from '@laurel/kernel';
import type { AttributeHashes } from '@laurel/profile';
import { unlessEmpty, type Json, type StoredEventData } from './stored-event-data.ts';

export const encodeUser = ({
  subject,
  user,
}: Extract<UserEvent, { readonly user: UserFields }>): Pick<StoredEventData, 'subject' | 'zone' | 'personal'> => ({
  subject,
  zone: user.tz === undefined ? null : (user.tz ?? ''),
  personal: personalOf(user),
});

/** The hashes of attributes, of the user and of the event: in the clear, so that they stay when the data key is destroyed. */
export const hashesOf = (
  user: UserFields,
  ofEvent?: AttributeHashes,
): { readonly userHashes?: unknown; readonly eventHashes?: unknown } | null =>
  user.attributeHashes === undefined && ofEvent === undefined
    ? null
    : {
        ...(user.attributeHashes && { userHashes: [...user.attributeHashes] }),
        ...(ofEvent && { eventHashes: [...ofEvent] }),
      };

export function decodeUser({ zone, personal, data }: Pick<StoredEventData, 'zone' | 'personal' | 'data'>): UserFields {
  const user = withPersonal(zone === null ? {} : { tz: zone === '' ? null : zone }, personal ?? {});
  const hashes = data?.['userHashes'];
  return hashes === undefined ? user : { ...user, attributeHashes: new Map(hashes as [string, string | null][]) };
}

/**
 * The personal fields; null if there are none. Attributes are pairs: `__proto__` is a legal attribute, and jsonb would reorder the keys of an
 * object.
 */
export function personalOf({ tz: _, attributeHashes: __, attributes, ...fields }: UserFields): Json | null {
  return unlessEmpty({ ...fields, ...(attributes && { attributes: [...attributes] }) });
}

/** The attributes of the event itself, among the personal fields of its user. */
export const EVENT_ATTRIBUTES = 'eventAttributes';

export const personalOfEvent = ({ user, attributes }: MetricEventRecorded): Json | null =>
  unlessEmpty({ ...personalOf(user), ...(attributes.size > 0 && { [EVENT_ATTRIBUTES]: [...attributes] }) });

/** Adds the fields that {@link personalOf} took out. */
export function withPersonal(user: UserFields, personal: Json): UserFields {
  const { attributes, ...fields } = personal as Omit<UserFields, 'attributes'> & {
    attributes?: [string, string | null][];
  };
  return { ...fields, ...user, ...(attributes && { attributes: new Map(attributes) }) };
}
