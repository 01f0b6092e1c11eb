import type { AreaName, AnswerParts, ViewRequest } from '@laurel/kernel';
import type { BoardsPlace } from '@laurel/partitioned-boards';

/** The calls of a query gateway. */
export const GATHER = 'answers.gather';
export const VIEW = 'answers.view';

export interface AnswerRequest {
  readonly partition: number;
  readonly eventIds: readonly string[];
  readonly limitMs: number;
  /** Answer with the complete events as soon as there is one. An older query gateway answers with all events. */
  readonly ready?: true;
}

export interface ViewCall {
  readonly request: ViewRequest;
  /** The configuration under which the caller composes the answer. */
  readonly configurationVersion: number;
  readonly limitMs: number;
  /** The messages that the leaderboards must have applied first; absent in calls of an older gateway, which does not wait for them. */
  readonly boardsAfter?: BoardsPlace;
}

/** The answer to a replay. */
export interface Viewed {
  readonly sections: AnswerParts;
  readonly pending: readonly AreaName[];
}
