import { ALWAYS_MADE, keptMs, OUTCOME_TYPES, type OutgoingDefinition, type OutgoingDocument } from '@laurel/contracts';

export function compileOutgoing(outgoing: OutgoingDocument | undefined): OutgoingDefinition | null {
  if (outgoing === undefined) return null;
  const { events, keep } = outgoing;
  return {
    types: new Set([...(events === 'all' ? OUTCOME_TYPES : events), ...ALWAYS_MADE]),
    keepMs: keptMs(keep) ?? 0,
  };
}
