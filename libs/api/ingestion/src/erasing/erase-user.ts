import { createHmac } from 'node:crypto';
import { formatInstant } from '@laurel/calendar';
import { userKey, type EraseUser, type ErasedFrom, type Subject } from '@laurel/kernel';
import {
  attributionOf,
  eraseUserQuery,
  IMPORT_OPEN,
  invalidRequest,
  ProblemError,
  readRequest,
  UNKNOWN_USER,
  knownUser,
  type Erasure,
  type ProblemItem,
} from '@laurel/schemas';
import type { ApiCall } from '@laurel/runtime';
import type { BoundedIngestionPorts, Erasures } from '../ports.ts';
import { refusal } from '../refusals.ts';
import { submitted } from '../submit-one.ts';

/**
 * Shows what erasing a user would change, or erases the user (specification, section 10).
 * @throws ProblemError 404 for an unknown user, 422 that lists everything wrong
 */
export async function eraseUser(
  ports: Omit<BoundedIngestionPorts, 'corrections'>,
  { account, by, path: { id: userId }, query }: Pick<ApiCall<'id'>, 'account' | 'by' | 'path' | 'query'>,
): Promise<Erasure> {
  const { erasures } = ports;
  const { subject, profile } = await knownUser(ports, account, userId);
  const { data = {}, errors } = readRequest(eraseUserQuery, query);
  if (errors.length === 0 && (await erasures.importOpen(account))) throw new ProblemError(IMPORT_OPEN);
  const { preview, boards = 'remove', reason, previewId: named } = data;
  const previewId = await idOfPreview(erasures, { account, subject }, boards);
  if (preview !== true) errors.push(...mistakes(named, previewId, reason, [userId, profile.name, profile.email]));
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  const at = ports.clock.now();
  const places = await erasures.places({ account, subject, boards, at });
  const shown = { userId, previewId, boards, places: [...places] };
  if (preview === true) return { ...shown, erased: false, eventId: null, at: null };
  const command: EraseUser = { type: 'EraseUser', account, subject, boards, attribution: attributionOf(by, reason) };
  const outcome = await submitted(ports.intake, command);
  // Another call erased the user first.
  if (outcome.kind === 'refused' && outcome.reason === 'erased') throw new ProblemError(UNKNOWN_USER);
  if (outcome.kind === 'refused') throw refusal(outcome, userId);
  if (outcome.kind === 'replayed') throw new Error('an erasure has no key');
  return { ...shown, erased: true, eventId: outcome.eventId, at: formatInstant(outcome.occurredAt) };
}

/**
 * Identifies the preview for this user: a later user with the same id gets another one. It is derived from the user's
 * data key, so it reveals nothing about the subject once the key is destroyed.
 */
async function idOfPreview(
  { directory }: Erasures,
  user: { readonly account: string; readonly subject: Subject },
  boards: ErasedFrom,
): Promise<string> {
  const key = (await directory.dataKeys([user])).get(userKey(user));
  if (key === undefined) throw new ProblemError(UNKNOWN_USER);
  return createHmac('sha256', key)
    .update(`erase ${userKey(user)} ${boards}`)
    .digest('base64url')
    .slice(0, 22);
}

function mistakes(
  named: string | undefined,
  previewId: string,
  reason: string | undefined,
  names: readonly (string | null)[],
): readonly ProblemItem[] {
  const found: ProblemItem[] = [];
  if (named !== previewId)
    found.push({
      path: 'previewId',
      message: 'must be that of a preview of this user with these boards: ask with preview=true first',
    });
  if (reason === undefined) found.push({ path: 'reason', message: 'is required' });
  else if (names.some((name) => name !== null && isNamedIn(reason, name)))
    found.push({ path: 'reason', message: 'must not name the user: it is kept in clear text' });
  return found;
}

/** Shorter names occur in many words. */
const SHORTEST_WITHIN_WORDS = 3;

/** Whether the reason contains the name, ignoring case. A very short name must be a whole word. */
function isNamedIn(reason: string, name: string): boolean {
  const words = name.normalize('NFC').trim();
  if (words === '') return false;
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const isLong = [...words].length >= SHORTEST_WITHIN_WORDS;
  const pattern = isLong ? escaped : `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
  return new RegExp(pattern, 'iu').test(reason.normalize('NFC'));
}
