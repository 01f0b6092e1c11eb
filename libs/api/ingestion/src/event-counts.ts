import type { CommandResult } from '@laurel/kernel';
import { ProblemError, type ProblemCode } from '@laurel/schemas';
import type { Metrics } from '@laurel/runtime';
import { refusalCode } from './refusals.ts';

/** Counts events of requests by their result, since the start of the process. */
export class EventCounts {
  recorded = 0;
  replayed = 0;
  /** Refused events by the code of the problem in the answer. */
  readonly refused = new Map<ProblemCode, number>();

  count(outcome: CommandResult): void {
    if (outcome.kind === 'refused') this.refuse(refusalCode(outcome));
    else this[outcome.kind]++;
  }

  /** Counts an event that did not reach the intake. */
  refuse(code: ProblemCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  /** Like {@link refuse}, for an error of a request. */
  refuseFor(error: unknown): void {
    this.refuse(error instanceof ProblemError ? error.problem.code : 'internal');
  }

  /** Exposes the counts as the metric `laurel_events_total`. */
  observeBy(metrics: Metrics): void {
    const metric = { name: 'laurel_events_total', help: 'Events since the start, by what became of them.' };
    metrics.observeEach(metric, ['outcome', 'code'], () => [
      { labels: { outcome: 'recorded', code: '' }, value: this.recorded },
      { labels: { outcome: 'replayed', code: '' }, value: this.replayed },
      ...[...this.refused].map(([code, value]) => ({ labels: { outcome: 'refused', code }, value })),
    ]);
  }
}
