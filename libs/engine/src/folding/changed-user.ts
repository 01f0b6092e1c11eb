import type { Instant } from '@laurel/calendar';
import type { Configuration, Fold, AreaRange, Step, Subject, UserRef } from '@laurel/kernel';
import type { Document } from './document.ts';

/** The part of a step that is needed to apply its record again. */
export type AppliedStep = Pick<Step, 'record' | 'before' | 'range' | 'configuration'>;

/** A document under construction, with what is needed to build it again. */
export interface Draft {
  /** The document that was cloned. */
  readonly origin: Document;
  /**
   * The areas whose states were cloned. The other areas still share their states with the origin; do not write those.
   */
  readonly range: AreaRange;
  /** The records applied to the draft since it was cloned, in order, and how each was applied. */
  readonly applied: AppliedStep[];
  /** The fold whose states are the document. */
  fold: Fold;
}

/** A user whom a batch changes. */
export class ChangedUser implements UserRef {
  readonly account: string;
  readonly subject: Subject;
  /** The user's states after the batch. */
  document: Document;
  /** null if the document is read-only. */
  readonly draft: Draft | null;
  /** The version used to compute `dueAt`. */
  configuration: Configuration;
  /**
   * When something next falls due for the user without an event, or null for never. Valid once `ChangedUsers.date` has
   * run.
   */
  dueAt: Instant | null = null;

  constructor({ account, subject }: UserRef, document: Document, configuration: Configuration, draft: Draft | null) {
    this.account = account;
    this.subject = subject;
    this.document = document;
    this.configuration = configuration;
    this.draft = draft;
  }
}
