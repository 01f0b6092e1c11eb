// breaks: TS2353
import type { Emitter } from '@laurel/kernel';

export const complete = (emitter: Emitter) =>
  emitter.emit({ type: 'AchievementCompleted', achievement: 'first', at: 0 });
