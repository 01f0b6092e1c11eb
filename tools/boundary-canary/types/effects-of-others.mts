// breaks: TS2339
import type { Sink } from '@laurel/contracts';

export const first = (sink: Sink) => sink.effects;
