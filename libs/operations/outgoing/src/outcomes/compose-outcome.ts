import { formatInstant } from '@laurel/calendar';
import type { RecordedEvent, Subject } from '@laurel/kernel';
import { writeJson } from '@laurel/schemas';
import { uuidsIn } from '@laurel/ports/name-uuid';
import type { NewOutcome } from '../stored/postgres-outcomes.ts';
import { writeMembers } from './json-text.ts';
import type { Candidate, ConcernedUser } from './candidate.ts';

/** Must never change: ids of outcomes that were sent are derived from it. */
const outcomeIdOf = uuidsIn('5d0a4c1b-8d0e-5b3c-9a77-0a3f1c5e6b42');

/** An event and the user whom it concerns. */
export interface Whom {
  readonly record: Pick<RecordedEvent, 'account' | 'eventId' | 'position'>;
  /** Index of the user among those of a sweep; 0 for other events. */
  readonly place: number;
  /** null if there is none, or if the user is erased. */
  readonly user: ConcernedUser | null;
}

/** The outcomes of one user and event, numbered from `sequence` + 1. */
export function composeOutcomes(whom: Whom, candidates: readonly Candidate[], sequence: number): readonly NewOutcome[] {
  const own = whom.user === null ? '' : userMember(whom.user);
  const seen = new Map<string, number>();
  return candidates.map((candidate, ordinal) => {
    const name = `${candidate.type} ${candidate.subject}`;
    const again = seen.get(name) ?? 0;
    seen.set(name, again + 1);
    return composeOutcome(whom, own, candidate, { sequence: sequence + ordinal + 1, ordinal, again });
  });
}

/** @param own the text of the event's user, made once for all its outcomes */
function composeOutcome(
  { record, place, user: ofEvent }: Whom,
  own: string,
  { type, subject, at, due, fields, user = ofEvent, others = NOBODY }: Candidate,
  { sequence, ordinal, again }: { readonly sequence: number; readonly ordinal: number; readonly again: number },
): NewOutcome {
  const { account, eventId, position } = record;
  const what =
    due === undefined ? [account, eventId, place, type, subject] : [account, formatInstant(due), type, subject];
  const id = outcomeIdOf(JSON.stringify(again === 0 ? what : [...what, again]));
  const head = `"id":"${id}","type":"${type}","timestamp":"${formatInstant(at)}","sequence":${sequence}`;
  const whose = user === ofEvent ? own : user === null ? '' : userMember(user);
  const rest = writeMembers(fields);
  return {
    id,
    type,
    sequence,
    position,
    place,
    ordinal,
    timestamp: at,
    subject: user?.subject ?? null,
    others,
    body: `{${head}${whose}${rest === '' ? '' : `,${rest}`}}`,
  };
}

const NOBODY: readonly Subject[] = [];

const userMember = ({ answer }: ConcernedUser): string => `,"user":${writeJson(answer)}`;
