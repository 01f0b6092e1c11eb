import type { Instant } from '@laurel/calendar';
import type { Configuration, Fold, AreaRange, Step, Subject, UserRef } from '@laurel/kernel';
import type { Document } from './document.ts';

/** As much of a step as applying its record again takes. */
export type AppliedStep = Pick<Step, 'record' | 'before' | 'span' | 'configuration'>;

/** How a document that is written came about: enough to make it once more. */
export interface Draft {
  /** What it was cloned from. */
  readonly origin: Document;
  /** The areas whose states were cloned. The others' are those of the origin, and may not be written. */
  readonly span: AreaRange;
  /** The records that were applied to it since, in order, and how. */
  readonly applied: AppliedStep[];
  /** Its states are the document. */
  fold: Fold;
}

/** A user whom a batch changes. */
export class ChangedUser implements UserRef {
  readonly account: string;
  readonly subject: Subject;
  /** Their states after the batch. */
  document: Document;
  /** null: the document may not be written. */
  readonly draft: Draft | null;
  /** The version under which it is worked out when something next falls due. */
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
