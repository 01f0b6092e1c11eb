// breaks: TS2339
import type { Emitter } from '@laurel/kernel';

export const first = (emitter: Emitter) => emitter.effects;
