import type { AreaName, Sections, ViewRequest } from '@laurel/kernel';
import type { BoardsPlace } from '@laurel/partitioned-boards';

/** The calls of a query gateway. */
export const GATHER = 'answers.gather';
export const VIEW = 'answers.view';

export interface GatherQuestion {
  readonly partition: number;
  readonly eventIds: readonly string[];
  readonly limitMs: number;
  /** Answer as soon as one of them is complete, without those that are not. An older query gateway answers all of them. */
  readonly ready?: true;
}

export interface ViewQuestion {
  readonly request: ViewRequest;
  /** The configuration under which the caller composes the answer. */
  readonly configurationVersion: number;
  readonly limitMs: number;
  /** What the leaderboards must have applied first; absent from an older gateway, which does not wait for them. */
  readonly boardsAfter?: BoardsPlace;
}

/** What a replay shows. */
export interface Viewed {
  readonly sections: Sections;
  readonly pending: readonly AreaName[];
}
