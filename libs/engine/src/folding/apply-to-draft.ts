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

/** Keeps the drafts of users while a batch changes them. */
export interface DraftingBatch {
  readonly users: ChangedUsers;
  /**
   * The user's document with the changes of this batch so far.
   * @throws DamagedStateError if an area cannot read its stored state
   */
  documentOf(key: string, user: UserRef): Document | undefined;
}

/** How a record is applied to a draft. */
export interface DraftOptions {
  /** The configuration version to apply. */
  readonly configuration: Configuration;
  /** The areas that apply it. */
  readonly range: AreaRange;
  /** The message of the areas before them, or null if no area has applied the record yet. */
  readonly before: ChainMessage | null;
  /** Whether to make answer parts. */
  readonly wantsAnswer: boolean;
}

/**
 * Applies a record to its user's draft. The draft is cloned from the user's document when the batch first changes the
 * user.
 * @throws AreaError; the user's draft is then unchanged
 */
export function applyToDraft(
  areas: readonly AnyUserArea[],
  batch: DraftingBatch,
  record: RecordedUserEvent,
  options: DraftOptions,
): Step {
  const { configuration, range } = options;
  const user = { account: record.account, subject: record.fact.subject };
  const key = userKey(user);
  const known = batch.users.byKey.get(key);
  const changed = isDrafted(known, range)
    ? known
    : openDraft(areas, user, batch.documentOf(key, user) as Document, options);
  try {
    const step = changed.draft.fold.apply(record, configuration, options);
    changed.draft.applied.push({ record, before: step.before, range: step.range, configuration });
    changed.configuration = configuration;
    batch.users.put(key, changed);
    return step;
  } catch (error) {
    // The draft is half written. A draft opened for this record alone is dropped.
    if (changed === known) changed.document = replayed(areas, changed.draft);
    throw error;
  }
}

type DraftedUser = ChangedUser & { readonly draft: Draft };

const isDrafted = (changed: ChangedUser | undefined, { first, end }: AreaRange): changed is DraftedUser =>
  changed !== undefined &&
  changed.draft !== null &&
  changed.draft.range.first <= first &&
  end <= changed.draft.range.end;

function openDraft(
  areas: readonly AnyUserArea[],
  user: UserRef,
  origin: Document,
  { range, configuration }: DraftOptions,
): DraftedUser {
  const fold = Fold.from(areas, origin, configuration, range);
  return new ChangedUser(user, fold.states, configuration, { origin, range, applied: [], fold }) as DraftedUser;
}

/** Replays everything applied to the draft, and returns the resulting document. The draft continues from it. */
function replayed(areas: readonly AnyUserArea[], draft: Draft): Document {
  const { origin, range, applied } = draft;
  draft.fold = Fold.from(areas, origin, (applied[0] as AppliedStep).configuration, range);
  for (const step of applied)
    draft.fold.apply(step.record, step.configuration, { before: step.before, range: step.range });
  return draft.fold.states;
}
