import type { Instant } from '@laurel/calendar';
import {
  outcomesOfEvent,
  type ConfigurationHistory,
  type RecordedEvent,
  type OutcomeType,
  type RunEvent,
  type RecordedUserEvent,
  userEventsOf,
} from '@laurel/kernel';
import { userAnswer } from '@laurel/schemas';
import { candidatesOfAccount, candidatesOfUser } from '../outcomes/candidates.ts';
import { composeOutcomes } from '../outcomes/compose-outcome.ts';
import type { ChangeQuery, ChangingEvent, FinalRun } from '../outcomes/final-runs.ts';
import { isWanted } from '../outcomes/preferences.ts';
import { MOST_RANKINGS, type RunStanding, type UserSourceEvent } from '../outcomes/source-event.ts';
import type { NewOutcome } from '../stored/postgres-outcomes.ts';
import { afterRecord, type ImportBracket } from './import-bracket.ts';
import { UNNAMED } from './published-versions.ts';
import { ranksNeeded } from './ranks-needed.ts';
import type { Caused, OutcomeReaderDependencies } from './reader-dependencies.ts';

interface Planned {
  readonly record: RecordedEvent;
  readonly types: ReadonlySet<OutcomeType>;
  readonly dueFrom: Instant;
  /** The record as it concerns each of its users. */
  readonly users: readonly RecordedUserEvent[];
  /** The opening of the import that was open directly before the record. */
  readonly opened: ImportBracket['opened'];
}

/** Records in the order of the log, the imports before them, and the sequence that was assigned last. */
interface RecordsRead {
  readonly records: readonly RecordedEvent[];
  readonly bracket: ImportBracket;
  readonly sequence: number;
}

/**
 * Makes the outcomes of records that every area has applied.
 * @param goesOn asked while final runs are read
 * @returns also the imports after the records; null if `goesOn` answered false
 */
export async function makeOutcomes(
  dependencies: OutcomeReaderDependencies,
  account: string,
  { records, bracket: before, sequence }: RecordsRead,
  goesOn: () => boolean,
): Promise<{ readonly outcomes: readonly NewOutcome[]; readonly bracket: ImportBracket } | null> {
  const history = dependencies.configurations(account);
  const { planned, bracket } = planOf(records, account, before, history);
  const events = planned.flatMap(({ users }) => users);
  const caused = events.length === 0 ? [] : await dependencies.caused(account, events, ranksNeeded(planned));
  const runs = await runsOf(dependencies, account, planned);
  const finalRuns = await finalRunsOf(dependencies, account, planned, goesOn);
  if (finalRuns === null) return null;
  const outcomes: NewOutcome[] = [];
  const madeAt = dependencies.clock.now();
  let place = 0;
  for (const plan of planned) {
    const { record, types, users } = plan;
    const configuration = history.at(record.configurationVersion);
    const event = { record, configuration, finalRuns: finalRuns.get(record) ?? [], run: runs.get(record) ?? null };
    const candidates = users.length > 0 ? [] : candidatesOfAccount(event, types);
    const ofAccount = { record, place: 0, user: null };
    outcomes.push(...composeOutcomes(ofAccount, candidates, sequence + outcomes.length));
    for (const own of users) {
      const context = { ...event, record: own, madeAt, dueFrom: plan.dueFrom };
      outcomes.push(...outcomesOfUser(context, caused[place++] ?? null, types, sequence + outcomes.length));
    }
  }
  return { outcomes, bracket };
}

function planOf(
  records: readonly RecordedEvent[],
  account: string,
  before: ImportBracket,
  history: ConfigurationHistory,
): { readonly planned: readonly Planned[]; readonly bracket: ImportBracket } {
  let bracket = before;
  const planned: Planned[] = [];
  for (const record of records) {
    const { opened } = bracket;
    bracket = afterRecord(bracket, record);
    const { fact, configurationVersion, occurredAt } = record;
    const isLeftOut = fact.type === 'MetricEventRecorded' && fact.imported && !bracket.outgoing;
    if (record.account !== account || isLeftOut) continue;
    const { types } = history.at(configurationVersion).outgoing ?? UNNAMED;
    // The direct effects of an event are never too old, however long ago an imported event occurred.
    planned.push({
      record,
      types,
      dueFrom: Math.min(bracket.dueFrom, occurredAt),
      users: userEventsOf(record),
      opened,
    });
  }
  return { planned, bracket };
}

/** The runs that began and ended, of the named types, by their records. */
async function runsOf(
  { runs }: OutcomeReaderDependencies,
  account: string,
  planned: readonly Planned[],
): Promise<ReadonlyMap<RecordedEvent, RunStanding>> {
  const ofRuns = planned.flatMap(({ record, types }) =>
    isOfRun(record) && outcomesOfEvent(record.fact.type).some((type) => types.has(type)) ? [record] : [],
  );
  const standings = ofRuns.length === 0 ? [] : await runs(account, ofRuns, MOST_RANKINGS);
  return new Map(ofRuns.map((record, index) => [record, standings[index] as RunStanding]));
}

/** Final runs by the record that changed them; null if `goesOn` answered false. */
async function finalRunsOf(
  { finalRuns }: OutcomeReaderDependencies,
  account: string,
  planned: readonly Planned[],
  goesOn: () => boolean,
): Promise<ReadonlyMap<RecordedEvent, readonly FinalRun[]> | null> {
  const changes = planned.flatMap(changeOf);
  const changed = changes.length === 0 ? [] : await finalRuns(account, changes, goesOn);
  return changed && new Map(changes.map(({ record }, index) => [record, changed[index] ?? []]));
}

type UserContext = Pick<UserSourceEvent, 'record' | 'finalRuns' | 'configuration' | 'madeAt' | 'dueFrom'>;

/** @param caused null if the user is erased: then only the erasure itself makes an outcome */
function outcomesOfUser(
  { record, finalRuns, configuration, madeAt, dueFrom }: UserContext,
  caused: Caused | null,
  types: ReadonlySet<OutcomeType>,
  sequence: number,
): readonly NewOutcome[] {
  const { fact } = record;
  const isErasure = fact.type === 'UserErased';
  if (caused === null && !isErasure) return [];
  const { profile, ...effects } = caused ?? NOTHING_CAUSED;
  const made = candidatesOfUser({ record, finalRuns, configuration, madeAt, dueFrom, ...effects }, types);
  const candidates = profile === null ? made : made.filter(({ type }) => isWanted(type, profile.notifications));
  if (candidates.length === 0) return [];
  const isShown = profile !== null && !isErasure;
  const user = isShown ? { subject: fact.subject, answer: userAnswer(effects.userId, profile) } : null;
  const place = fact.type === 'UserSwept' ? fact.place : 0;
  return composeOutcomes({ record, place, user }, candidates, sequence);
}

const unknown = (): never => {
  throw new Error('an erasure has no effects that make outcomes');
};

const NOTHING_CAUSED = {
  userId: '',
  profile: null,
  effects: [],
  standing: null,
  awardIdOf: unknown,
  runEndOf: unknown,
  topOf: unknown,
};

const isOfRun = (record: RecordedEvent): record is RecordedEvent<RunEvent> =>
  record.fact.type === 'LeaderboardRunStarted' || record.fact.type === 'LeaderboardRunEnded';

const isChanging = (record: RecordedEvent): record is RecordedEvent<ChangingEvent> =>
  record.fact.type === 'CorrectionRecorded' || record.fact.type === 'ImportClosed';

/** Changes of a correction have its position; changes of an import lie between its beginning and its end. */
function changeOf({ record, types, opened }: Planned): readonly ChangeQuery[] {
  if (!isChanging(record)) return [];
  const { position, recordedAt, fact } = record;
  if (fact.type === 'CorrectionRecorded') return [{ record, since: { position: position - 1, recordedAt } }];
  return opened !== null && types.has('import.finished') ? [{ record, since: opened }] : [];
}

const countUsers = ({ fact }: RecordedEvent): number =>
  fact.type === 'UsersSwept' ? fact.subjects.length : Number('subject' in fact);

/** The leading records whose users fit into memory together, at least one. A run counts the users whom it ranks. */
export function atATime(records: readonly RecordedEvent[], most: number): readonly RecordedEvent[] {
  let users = 0;
  const first = records.findIndex((record, index) => {
    users += isOfRun(record) ? MOST_RANKINGS : countUsers(record);
    return users > most && index > 0;
  });
  return first < 0 ? records : records.slice(0, first);
}
