import type { RebuildAnswer } from '@laurel/schemas';

/** A finished rebuild. Without a service it has no id. */
export type FinishedRebuild = Omit<RebuildAnswer, 'id'> & { readonly id: string | null };

/** Receives the applied position of the log, and the log's end. */
export type OnProgress = (applied: number, head: number) => void;

export const recordsText = (applied: number, head: number): string => `${applied} of ${head} records`;
