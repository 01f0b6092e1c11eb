import type { Instant } from '@laurel/calendar';
import type { PublishConfiguration } from '../commands.ts';
import type { ConfigurationPublished } from '../events.ts';
import type { NewEvent } from './decision.ts';

export interface PublicationState {
  readonly now: Instant;
  /** The newest version; 0 if none is published yet. */
  readonly latestVersion: number;
  /** Whether the log has an event of the account other than publications. */
  readonly holdsEvents: boolean;
}

/** While no event depends on the newest version, a publication replaces it (specification, section 9). */
export function publishConfiguration(
  { document, attributeHashes, attribution }: PublishConfiguration,
  { now, latestVersion, holdsEvents }: PublicationState,
): NewEvent<ConfigurationPublished> {
  const replacesLatest = latestVersion > 0 && !holdsEvents;
  const version = replacesLatest ? latestVersion : latestVersion + 1;
  const hashes = attributeHashes === undefined ? {} : { attributeHashes };
  return { occurredAt: now, event: { type: 'ConfigurationPublished', version, document, ...hashes, ...attribution } };
}
