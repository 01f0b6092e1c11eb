// breaks: TS2740
import type { Emitter } from '@laurel/kernel';

export const complete = (emitter: Emitter) =>
  emitter.take([{ type: 'AchievementCompleted', achievement: 'first', at: 0 }]);
