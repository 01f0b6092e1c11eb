import { numberCursor } from '@laurel/runtime';

/** A position of the log as watchers keep it. */
export const LIVE_CURSOR = numberCursor('live', 15);
