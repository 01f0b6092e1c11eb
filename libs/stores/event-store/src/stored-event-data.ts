import type { Attribution, KeyHash, Subject } from '@laurel/kernel';

/** A recorded event as it is stored: a schema version and plain JSON. */
export interface StoredEventData {
  readonly type: string;
  readonly schemaVersion: number;
  readonly subject: Subject | null;
  readonly metric: string | null;
  readonly keyHash: KeyHash | null;
  /** A decimal number. */
  readonly value: string | null;
  /** The user's clock from now on; empty if it is removed, null if it is unchanged. */
  readonly zone: string | null;
  /** True if the caller brought the instant itself (an import). */
  readonly imported: boolean;
  /** The other fields that the rules need; null if there are none. */
  readonly data: Json | null;
  /** Personal fields, kept apart so that they can be sealed; null if there are none. */
  readonly personal: Json | null;
}

export type Json = Readonly<Record<string, unknown>>;

export const unlessEmpty = (data: Json): Json | null => (Object.keys(data).length === 0 ? null : data);

export const attributionOf = ({ by, reason }: Attribution): Attribution => ({
  ...(by !== undefined && { by }),
  ...(reason !== undefined && { reason }),
});
