import { Fold, type Configuration, type Span, type Step } from '@laurel/kernel';
import { ChangedUser, type Draft, type DraftedMessage } from './changed-user.ts';
import type { ChangedUsers } from './changed-users.ts';
import { userKey, type AnyUserArea, type Document, type UserRef } from './document.ts';

/** Keeps the drafts of users. */
export interface DraftingBatch {
  readonly users: ChangedUsers;
  /**
   * The user's document as the batch has left it so far, else as it was before.
   * @throws DamagedStateError if an area cannot read what is stored of it
   */
  documentOf(key: string, user: UserRef): Document | undefined;
}

/**
 * Applies a message to the draft of a user, which is cloned from their document when the batch first touches it.
 * @throws AreaError; then the user is as before
 */
export function applyToDraft(
  areas: readonly AnyUserArea[],
  batch: DraftingBatch,
  user: UserRef,
  drafted: DraftedMessage,
  wantsSections: boolean,
): Step {
  const { message, span, configuration } = drafted;
  const key = userKey(user);
  const known = batch.users.byKey.get(key);
  const changed = isDrafted(known, span)
    ? known
    : openDraft(areas, user, batch.documentOf(key, user) as Document, span, configuration);
  try {
    const applied = changed.draft.fold.apply(message, configuration, { span, sections: wantsSections });
    changed.draft.applied.push(drafted);
    changed.configuration = configuration;
    batch.users.put(key, changed);
    return applied;
  } catch (error) {
    // The draft is half written; one that was opened for this message alone is dropped.
    if (changed === known) changed.document = replayed(areas, changed.draft);
    throw error;
  }
}

type DraftedUser = ChangedUser & { readonly draft: Draft };

const isDrafted = (changed: ChangedUser | undefined, { first, end }: Span): changed is DraftedUser =>
  changed !== undefined && changed.draft !== null && changed.draft.span.first <= first && end <= changed.draft.span.end;

function openDraft(
  areas: readonly AnyUserArea[],
  user: UserRef,
  origin: Document,
  span: Span,
  configuration: Configuration,
): DraftedUser {
  const fold = Fold.from(areas, origin, configuration, span);
  return new ChangedUser(user, fold.states, configuration, { origin, span, applied: [], fold }) as DraftedUser;
}

/** The document as everything had left it that was applied to the draft, which goes on from there. */
function replayed(areas: readonly AnyUserArea[], draft: Draft): Document {
  const { origin, span, applied } = draft;
  draft.fold = Fold.from(areas, origin, (applied[0] as DraftedMessage).configuration, span);
  for (const { message, span: own, configuration } of applied) draft.fold.apply(message, configuration, { span: own });
  return draft.fold.states;
}
