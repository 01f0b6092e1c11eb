import type { NotificationType } from '@laurel/profile';
import type { Effect } from '../effects.ts';
import type { AccountEvent, DomainEvent } from '../events.ts';

/** Declares a type of outcome. The package outgoing composes its data. */
export type OutcomeKind = MadeFrom & {
  /** What happened, in the words for receivers. */
  readonly means: string;
  /** Its data, in the order of the body. */
  readonly fields: OutcomeFields;
  /** Present if it reports the same as another type. It is made only if a configuration names it: `all` leaves it out. */
  readonly secondNameOf?: string;
  /** Present if it is made whenever any type is, named or not: without it, a receiver's copy becomes wrong and stays wrong. */
  readonly alwaysMade?: true;
  /** Present if `all` includes it in versions from before versions named the types. Never set for a new type. */
  readonly inStoredAll?: true;
  /** The setting of `outgoing` that it depends on. */
  readonly setting?: OutcomeSetting;
  /** Users who want this notification by no channel get none. Absent if users have no choice. */
  readonly notification?: NotificationType;
};

/** An outcome is made of an event with one of these effects, of each event of one type, or of either. */
type MadeFrom =
  | { readonly effects: readonly Effect['type'][]; readonly event?: undefined }
  | { readonly event: DomainEvent['type']; readonly effects?: undefined }
  | { readonly event: AccountEvent['type']; readonly effects: readonly Effect['type'][] };

export type OutcomeSetting = 'atRisk' | 'announceTop' | 'recap' | 'reactivation';

/** A field of a body. */
export type OutcomeField = {
  /** Its description for receivers. */
  readonly prose: string;
  /** Set if the body may lack the field. */
  readonly optional?: true;
  readonly nullable?: true;
} & (
  | { readonly holds: HeldObject }
  | { readonly holds: 'instant' | 'amount' | 'other user' }
  | { readonly holds: 'whole'; readonly least?: number; readonly example?: number }
  | { readonly holds: 'text'; readonly example: string }
);

/** The values of fields that have fields of their own. */
export type HeldObject =
  | 'user'
  | 'achievement'
  | 'streak'
  | 'missing amounts'
  | 'recap'
  | 'reactivation'
  | 'points'
  | 'boost'
  | 'level'
  | 'place'
  | 'rankings'
  | 'corrections'
  | 'final runs'
  | 'endpoint'
  | 'failure';

export type OutcomeFields = Readonly<Record<string, OutcomeField>>;
