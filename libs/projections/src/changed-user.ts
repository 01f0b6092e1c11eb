import type { Instant } from '@laurel/calendar';
import type { Configuration, LogRecord, Subject, UserFact, UserRef, UserSwept } from '@laurel/contracts';
import type { Document } from './document.ts';

/** A record of one user. */
export type UserRecord = LogRecord<UserFact | UserSwept>;

export interface UserEvent {
  readonly record: UserRecord;
  readonly configuration: Configuration;
}

/** How a document that is written came about: enough to make it once more. */
export interface Draft {
  /** What it was cloned from. */
  readonly origin: Document;
  /** What was applied to it since, in order. */
  readonly applied: UserEvent[];
}

/** A user whom a batch changes. */
export class ChangedUser implements UserRef {
  readonly account: string;
  readonly subject: Subject;
  /** Their states after the batch. */
  readonly document: Document;
  /** null: the document may not be written. */
  readonly draft: Draft | null;
  /** The version under which the document was last changed. */
  configuration: Configuration;
  /** When something next falls due for the user by itself; null: never. Valid once the batch has dated everybody. */
  dueAt: Instant | null = null;

  constructor({ account, subject }: UserRef, document: Document, configuration: Configuration, draft: Draft | null) {
    this.account = account;
    this.subject = subject;
    this.document = document;
    this.configuration = configuration;
    this.draft = draft;
  }
}
