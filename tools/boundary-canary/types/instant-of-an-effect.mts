// breaks: TS2353
import type { Sink } from '@laurel/contracts';

export const complete = (sink: Sink) => sink.emit({ type: 'AchievementCompleted', achievement: 'first', at: 0 });
