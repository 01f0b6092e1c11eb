import {
  AreaError,
  Fold,
  verdictIn,
  type AnyUserArea,
  type Configuration,
  type PointsRequest,
  type RecordedEvent,
  type Verdict,
} from '@laurel/kernel';
import type { Document } from './document.ts';

/**
 * How the rules decide a request for points at its place in the log: they apply it to a copy of the user's state, and the
 * record then says what they decided (ADR 0061).
 * @returns null if an area cannot apply the request
 */
export function decideRequest(
  areas: readonly AnyUserArea[],
  document: Document,
  record: RecordedEvent<PointsRequest>,
  configuration: Configuration,
): Verdict | null {
  try {
    return verdictIn(Fold.from(areas, document, configuration).apply(record, configuration).effects);
  } catch (error) {
    if (error instanceof AreaError) return null;
    throw error;
  }
}
