// breaks: TS2345
import type { Sink } from '@laurel/kernel';

export const firings = (sink: Sink) => sink.firings('RecapDue');
