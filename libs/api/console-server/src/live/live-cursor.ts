import { cursorFormat } from '@laurel/runtime';

/** A position of the log as watchers keep it. */
export const LIVE_CURSOR = cursorFormat<number>(
  /^live:(\d{1,15})$/,
  ([position]) => Number(position),
  (position) => `live:${position}`,
);
