import type { AreaName, Sections, ViewRequest } from '@laurel/contracts';

/** The calls of a query gateway. */
export const GATHER = 'answers.gather';
export const VIEW = 'answers.view';

export interface GatherQuestion {
  readonly partition: number;
  readonly eventIds: readonly string[];
  readonly limitMs: number;
  /** What the events caused is not wanted, only that it is done. */
  readonly receiptOnly: boolean;
}

export interface ViewQuestion {
  readonly request: ViewRequest;
  /** The configuration under which the caller composes the answer. */
  readonly configurationVersion: number;
  readonly limitMs: number;
}

/** What a replay shows. */
export interface Viewed {
  readonly sections: Sections;
  readonly pending: readonly AreaName[];
}
