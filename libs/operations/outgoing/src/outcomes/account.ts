import type { LogRecord, OutcomeType } from '@laurel/kernel';
import { finalRunFields, type FinalRun } from './final-runs.ts';
import type { Happening } from './occurrence.ts';

/** What a recorded event of the account means outside, of the types that are named. @param finalRuns those that an import changed */
export function happeningsOfAccount(
  { fact, occurredAt: at }: LogRecord,
  types: ReadonlySet<OutcomeType>,
  finalRuns: readonly FinalRun[],
): readonly Happening[] {
  const happening = happeningOf(fact, at, finalRuns);
  return happening !== null && types.has(happening.type) ? [happening] : [];
}

function happeningOf(fact: LogRecord['fact'], at: number, finalRuns: readonly FinalRun[]): Happening | null {
  switch (fact.type) {
    case 'ConfigurationPublished':
      return { type: 'configuration.published', subject: '', at, fields: { version: fact.version } };
    case 'ImportClosed':
      return { type: 'import.finished', subject: '', at, fields: finalRunFields(finalRuns) };
    case 'WebhookChanged': {
      if (fact.change !== 'disabled') return null;
      const { id, origin, by, reason, failure = null } = fact;
      const fields = { endpoint: { id, origin }, reason: by === 'process' ? (reason ?? null) : null, failure };
      return { type: 'endpoint.disabled', subject: id, at, fields };
    }
    default:
      return null;
  }
}
