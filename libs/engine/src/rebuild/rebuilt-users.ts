import { Fold, type Configuration, type Subject, type RecordedUserEvent, type UserRef } from '@laurel/kernel';
import { dueAt, storableDueAt } from '../folding/due-at.ts';
import {
  decodeDocument,
  encodeDocument,
  userKey,
  type AnyUserArea,
  type Document,
  type StoredDocument,
} from '../folding/document.ts';
import type { EncodedChange } from '../storage/batch-store.ts';

/** A user whose states a rebuild changes in place: if an area throws, the whole rebuild is dropped. */
export interface RebuiltUser extends UserRef {
  fold: Fold;
  /** The version under which the user's last event was applied. */
  configuration: Configuration;
  /** Events applied since the states were read or created. */
  events: number;
  /** The value of {@link events} when {@link bytes} was last computed. */
  eventsCounted: number;
  /** Stored size of the states. */
  bytes: number;
  /** Whether the states differ from those in the store. */
  isChanged: boolean;
  /** Whether the present chunk of the log changed the states. */
  isTouched: boolean;
  /** The last chunk that needed the states. */
  chunk: number;
}

/**
 * The users whose states are in memory, as many as fit. No other code refers to the states until {@link take} hands
 * them to the store.
 */
export class RebuiltUsers {
  readonly #areas: readonly AnyUserArea[];
  readonly #maxBytes: number;
  readonly #byAccount = new Map<string, Map<Subject, RebuiltUser>>();
  #bytes = 0;
  #chunk = 0;
  /** Users whom the present chunk has changed. */
  #touched: RebuiltUser[] = [];
  /** States read for the present chunk, by `userKey`. */
  #stored: ReadonlyMap<string, StoredDocument> = NOT_READ;
  #hasDropped = false;

  /** @param maxBytes limit of the states, in stored bytes */
  constructor(areas: readonly AnyUserArea[], maxBytes: number) {
    this.#areas = areas;
    this.#maxBytes = maxBytes;
  }

  /** Those of the users whose states are not in memory. */
  missing(users: readonly UserRef[]): readonly UserRef[] {
    if (!this.#hasDropped) return NOBODY;
    return users.filter(({ account, subject }) => {
      const user = this.#byAccount.get(account)?.get(subject);
      if (user !== undefined) user.chunk = this.#chunk;
      return user === undefined;
    });
  }

  /** Adds states that the store has of the {@link missing} users. */
  put(stored: ReadonlyMap<string, StoredDocument>): void {
    this.#stored = stored;
  }

  /** The user to whom the next record is applied. @throws DamagedStateError if an area cannot read its stored state */
  of({ account, fact }: RecordedUserEvent, configuration: Configuration): RebuiltUser {
    const user = this.#touch({ account, subject: fact.subject }, configuration);
    if ('user' in fact && bringsText(fact.user)) user.eventsCounted = 0;
    return user;
  }

  /** The user's states before they are replaced. @throws DamagedStateError if an area cannot read its stored state */
  statesOf(user: UserRef, configuration: Configuration): Document {
    return this.#touch(user, configuration).fold.states;
  }

  /** Replaces a user's states and takes ownership of the new ones. */
  replace(ref: UserRef, states: Document, configuration: Configuration): void {
    const user = this.#touch(ref, configuration);
    user.fold = new Fold(this.#areas, states);
    user.eventsCounted = 0;
  }

  #touch(ref: UserRef, configuration: Configuration): RebuiltUser {
    const user = this.#byAccount.get(ref.account)?.get(ref.subject) ?? this.#open(ref, configuration);
    if (!user.isTouched) {
      user.isTouched = true;
      this.#touched.push(user);
    }
    user.chunk = this.#chunk;
    user.isChanged = true;
    user.configuration = configuration;
    user.events++;
    return user;
  }

  /**
   * Ends a chunk of the log. If there are too many users, drops those that the chunk did not need.
   * @returns the unsaved changes of the dropped users
   */
  endChunk(): readonly EncodedChange[] {
    for (const user of this.#touched) {
      user.isTouched = false;
      if (user.events >= 2 * user.eventsCounted) this.#count(user);
    }
    this.#touched = [];
    this.#stored = NOT_READ;
    const dropped = this.#bytes > this.#maxBytes ? this.#drop() : NOTHING;
    this.#chunk++;
    return dropped;
  }

  /** Hands the unsaved changes to the store, at most `atMost` at a time. */
  *take(atMost: number): Generator<readonly EncodedChange[], void> {
    let changes: EncodedChange[] = [];
    for (const users of this.#byAccount.values())
      for (const user of users.values()) {
        if (!user.isChanged) continue;
        changes.push(this.#encoded(user));
        if (changes.length < atMost) continue;
        yield changes;
        changes = [];
      }
    yield changes;
  }

  #open(ref: UserRef, configuration: Configuration): RebuiltUser {
    const { account, subject } = ref;
    const stored = this.#stored.get(userKey(ref));
    const document = stored ? decodeDocument(this.#areas, stored, ref) : this.#areas.map((area) => area.initial());
    const fold = Fold.from(this.#areas, document, configuration);
    const user: RebuiltUser = {
      account,
      subject,
      fold,
      configuration,
      chunk: this.#chunk,
      events: 0,
      eventsCounted: 0,
      bytes: 0,
      isChanged: false,
      isTouched: false,
    };
    const users = this.#byAccount.get(account) ?? new Map<Subject, RebuiltUser>();
    users.set(subject, user);
    this.#byAccount.set(account, users);
    return user;
  }

  /**
   * Recomputes the size when the number of events has doubled: apart from texts in it, an event adds little to a state.
   */
  #count(user: RebuiltUser): void {
    const bytes = Buffer.byteLength(encodeDocument(this.#areas, user.fold.states));
    this.#bytes += bytes - user.bytes;
    user.bytes = bytes;
    user.eventsCounted = user.events;
  }

  #drop(): readonly EncodedChange[] {
    this.#hasDropped = true;
    const changes: EncodedChange[] = [];
    for (const users of this.#byAccount.values())
      for (const [subject, user] of users) {
        if (this.#bytes <= this.#maxBytes / 2) return changes;
        if (user.chunk === this.#chunk && this.#bytes <= this.#maxBytes) continue;
        if (user.isChanged) changes.push(this.#encoded(user));
        this.#bytes -= user.bytes;
        users.delete(subject);
      }
    return changes;
  }

  #encoded(user: RebuiltUser): EncodedChange {
    const { account, subject, fold, configuration } = user;
    user.isChanged = false;
    const due = dueAt(this.#areas, user, fold.states, configuration);
    return { account, subject, document: encodeDocument(this.#areas, fold.states), dueAt: storableDueAt(due) };
  }
}

const NOT_READ: ReadonlyMap<string, StoredDocument> = new Map();
const NOBODY: readonly UserRef[] = [];
const NOTHING: readonly EncodedChange[] = [];

function bringsText(user: object): boolean {
  for (const field in user) if (field !== 'tz') return true;
  return false;
}
