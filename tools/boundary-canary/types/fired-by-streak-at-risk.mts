// breaks: TS2345
import type { Sink } from '@laurel/contracts';

export const firings = (sink: Sink) => sink.firings('StreakAtRisk');
