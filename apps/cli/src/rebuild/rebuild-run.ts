import type { RebuildAnswer } from '@laurel/schemas';

/** A rebuild that is done. Without a service it has no id. */
export type FinishedRebuild = Omit<RebuildAnswer, 'id'> & { readonly id: string | null };

/** Told how far the log has been applied, and where it ends. */
export type OnProgress = (applied: number, head: number) => void;

export const recordsText = (applied: number, head: number): string => `${applied} of ${head} records`;
