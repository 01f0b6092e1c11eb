import type { RebuildAnswer } from '@laurel/schemas';

/** The progress of a rebuild, from 0 to 1; the log may grow meanwhile. */
export const shareOf = ({ applied, head }: Pick<RebuildAnswer, 'applied' | 'head'>): number =>
  head === 0 ? 1 : Math.min(1, applied / head);
