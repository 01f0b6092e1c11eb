import type { NotificationType } from '@laurel/profile';
import type { Effect } from '../effects.ts';
import type { Fact } from '../events.ts';

/** A type of outcome: everything but how its data is composed, which the package outgoing does. */
export type OutcomeKind = MadeFrom & {
  /** What happened, for those who receive it. */
  readonly means: string;
  /** Its data, in the order of the body. */
  readonly fields: OutcomeFields;
  /** It tells the same as another type, and is made only if a configuration names it: `all` leaves it out. */
  readonly secondNameOf?: string;
  /** It is made whenever any type could be, named or not: without it a copy of what was sent becomes wrong, and stays so. */
  readonly alwaysMade?: true;
  /** `all` includes it in versions of releases that did not name the types yet. Never given to a new type. */
  readonly inStoredAll?: true;
  /** The setting of `outgoing` that it depends on. */
  readonly setting?: OutcomeSetting;
  /** Users who want this notification by no channel get none. Absent: users do not choose. */
  readonly notification?: NotificationType;
};

/** An event that has none of the effects makes no outcome of the type; or each event of one type makes one. */
type MadeFrom =
  | { readonly effects: readonly Effect['type'][]; readonly event?: undefined }
  | { readonly event: Fact['type']; readonly effects?: undefined };

export type OutcomeSetting = 'atRisk' | 'announceTop' | 'recap' | 'reactivation';

/** A field of a body. */
export type OutcomeField = {
  /** What receivers read about it. */
  readonly prose: string;
  /** The body may lack it. */
  readonly optional?: true;
  readonly nullable?: true;
} & (
  | { readonly holds: HeldObject }
  | { readonly holds: 'instant' | 'amount' | 'other user' }
  | { readonly holds: 'whole'; readonly least?: number; readonly example?: number }
  | { readonly holds: 'text'; readonly example: string }
);

/** What a field holds that has fields of its own. */
export type HeldObject =
  | 'user'
  | 'achievement'
  | 'streak'
  | 'missing amounts'
  | 'recap'
  | 'reactivation'
  | 'points'
  | 'level'
  | 'place'
  | 'rankings'
  | 'corrections'
  | 'final runs'
  | 'endpoint'
  | 'failure';

export type OutcomeFields = Readonly<Record<string, OutcomeField>>;
