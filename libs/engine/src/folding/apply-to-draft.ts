import {
  Fold,
  type ChainMessage,
  type Configuration,
  type AreaRange,
  type Step,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { ChangedUser, type AppliedStep, type Draft } from './changed-user.ts';
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

/** How a record is applied to a draft. */
export interface DraftOptions {
  /** The version under which it is applied. */
  readonly configuration: Configuration;
  /** The areas that apply it. */
  readonly span: AreaRange;
  /** What the areas before them have made of it; null: none has applied it. */
  readonly before: ChainMessage | null;
  /** Whether the answer parts are made. */
  readonly sections: boolean;
}

/**
 * Applies a record to the draft of its user, which is cloned from their document when the batch first touches it.
 * @throws AreaError; then the user is as before
 */
export function applyToDraft(
  areas: readonly AnyUserArea[],
  batch: DraftingBatch,
  record: RecordedUserEvent,
  options: DraftOptions,
): Step {
  const { configuration, span: range } = options;
  const user = { account: record.account, subject: record.fact.subject };
  const key = userKey(user);
  const known = batch.users.byKey.get(key);
  const changed = isDrafted(known, range)
    ? known
    : openDraft(areas, user, batch.documentOf(key, user) as Document, options);
  try {
    const step = changed.draft.fold.apply(record, configuration, options);
    changed.draft.applied.push({ record, before: step.before, span: step.span, configuration });
    changed.configuration = configuration;
    batch.users.put(key, changed);
    return step;
  } catch (error) {
    // The draft is half written; one that was opened for this record alone is dropped.
    if (changed === known) changed.document = replayed(areas, changed.draft);
    throw error;
  }
}

type DraftedUser = ChangedUser & { readonly draft: Draft };

const isDrafted = (changed: ChangedUser | undefined, { first, end }: AreaRange): changed is DraftedUser =>
  changed !== undefined && changed.draft !== null && changed.draft.span.first <= first && end <= changed.draft.span.end;

function openDraft(
  areas: readonly AnyUserArea[],
  user: UserRef,
  origin: Document,
  { span: range, configuration }: DraftOptions,
): DraftedUser {
  const fold = Fold.from(areas, origin, configuration, range);
  return new ChangedUser(user, fold.states, configuration, { origin, span: range, applied: [], fold }) as DraftedUser;
}

/** The document as everything had left it that was applied to the draft, which goes on from there. */
function replayed(areas: readonly AnyUserArea[], draft: Draft): Document {
  const { origin, span: range, applied } = draft;
  draft.fold = Fold.from(areas, origin, (applied[0] as AppliedStep).configuration, range);
  for (const step of applied)
    draft.fold.apply(step.record, step.configuration, { before: step.before, span: step.span });
  return draft.fold.states;
}
