// breaks: TS2740
import type { Sink } from '@laurel/kernel';

export const complete = (sink: Sink) => sink.take([{ type: 'AchievementCompleted', achievement: 'first', at: 0 }]);
