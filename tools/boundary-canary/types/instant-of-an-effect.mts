// breaks: TS2353
import type { Sink } from '@laurel/kernel';

export const complete = (sink: Sink) => sink.emit({ type: 'AchievementCompleted', achievement: 'first', at: 0 });
