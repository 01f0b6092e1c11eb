import {
  AreaError,
  messageAfter,
  type AnyUserArea,
  type ChainMessage,
  type Configuration,
  type Span,
  type Step,
} from '@laurel/kernel';
import { applyToDraft } from '../folding/apply-to-draft.ts';
import type { Batch } from './batch.ts';
import type { UserRef } from '../folding/document.ts';

/** How far a message came through the areas of its user. */
export interface Passage {
  readonly message: ChainMessage;
  /** The areas that have applied it now. */
  readonly span: Span;
  /** null: none has. */
  readonly applied: Step | null;
  /** Of the area behind them; null: it did not throw. */
  readonly failure: AreaError | null;
}

/** Applies a message to a user's draft. Where an area throws, the areas before it apply it without that area. */
export function passAreas(
  areas: readonly AnyUserArea[],
  batch: Batch,
  user: UserRef,
  message: ChainMessage,
  { first, end }: Span,
  configuration: Configuration,
  wantsSections: boolean,
): Passage {
  let span: Span = { first, end };
  let failure: AreaError | null = null;
  while (span.first < span.end) {
    try {
      const applied = applyToDraft(areas, batch, user, { message, span, configuration }, wantsSections);
      return { message, span, applied, failure };
    } catch (error) {
      if (!(error instanceof AreaError)) throw error;
      failure = error;
      span = { first, end: error.index };
    }
  }
  return { message, span, applied: null, failure };
}

/** What the areas behind are given. It brings no sections: whoever waited for the answer has it by then. */
export function messageBehind(areas: readonly AnyUserArea[], { message, span, applied }: Passage): ChainMessage {
  return { ...(applied === null ? message : messageAfter(message, areas, span, applied)), sections: {} };
}
