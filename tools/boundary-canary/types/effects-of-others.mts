// breaks: TS2339
import type { Sink } from '@laurel/kernel';

export const first = (sink: Sink) => sink.effects;
