// breaks: TS2345
import type { Emitter } from '@laurel/kernel';

export const firings = (emitter: Emitter) => emitter.firings('StreakAtRisk');
