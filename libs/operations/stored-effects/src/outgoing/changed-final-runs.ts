import type { ConfigurationHistory, CorrectionRecorded, ImportClosed, RecordedEvent, SqlReader } from '@laurel/kernel';
import type { EventLookup } from '@laurel/event-store';
import { isFinal, runHolding } from '@laurel/contributions';
import { lateRunsChangedBetween, runsChangedAt, type ChangedRun } from '@laurel/leaderboards';
import type { ChangeQuery, FinalRun } from '@laurel/outgoing';
import type { SqlOfArea } from '../stored-effects.ts';

export interface FinalRunsDependencies {
  readonly sqlOf: SqlOfArea;
  readonly log: Pick<EventLookup, 'readAt'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/**
 * The final runs that each correction or import changed, newest first, then in configuration order. Only runs that the record's version
 * has, with their dates in it. Takes one statement for all corrections, and some for each import.
 *
 * @param goesOn called between two statements
 * @returns null if `goesOn` answers false
 */
export async function changedFinalRuns(
  { sqlOf, log, configurations }: FinalRunsDependencies,
  account: string,
  query: readonly ChangeQuery[],
  goesOn: () => boolean,
): Promise<readonly (readonly FinalRun[])[] | null> {
  const history = configurations(account);
  const changes = await changedRuns(sqlOf('leaderboards'), account, query, goesOn);
  return changes && Promise.all(changes.map(({ change, runs }) => finalOf(log, history, change, runs)));
}

interface Changed {
  readonly change: ChangeQuery;
  readonly runs: readonly ChangedRun[];
}

async function changedRuns(
  sql: SqlReader,
  account: string,
  query: readonly ChangeQuery[],
  goesOn: () => boolean,
): Promise<readonly Changed[] | null> {
  const corrections = query.flatMap(({ record }) => (isCorrection(record) ? [record] : []));
  const places = corrections.map(({ position, fact: { subject } }) => ({ position, subject }));
  const corrected = (await runsChangedAt(sql, places)).values();
  const changed: Changed[] = [];
  for (const change of query) {
    const { record, since } = change;
    const range = { after: since.position, upTo: record.position };
    const runs = isCorrection(record)
      ? (corrected.next().value ?? [])
      : await lateRunsChangedBetween(sql, account, range, goesOn);
    if (runs === null) return null;
    changed.push({ change, runs });
  }
  return changed;
}

const isCorrection = (
  record: RecordedEvent<CorrectionRecorded | ImportClosed>,
): record is RecordedEvent<CorrectionRecorded> => record.fact.type === 'CorrectionRecorded';

async function finalOf(
  log: FinalRunsDependencies['log'],
  history: ConfigurationHistory,
  { record, since }: ChangeQuery,
  runs: readonly ChangedRun[],
): Promise<readonly FinalRun[]> {
  const { boards } = history.current.names;
  const { leaderboards } = history.at(record.configurationVersion);
  const found = runs.flatMap(({ boardNumber, start, position }) => {
    const place = leaderboards.findIndex(({ key }) => boards.numberOf(key) === boardNumber);
    const board = leaderboards[place];
    const run = board && runHolding(board, start);
    if (run?.start !== start || run.end === null || !isFinal(run.end, record.recordedAt)) return [];
    return [{ place, position, board: board?.key ?? '', start, end: run.end }];
  });
  // A run may have become final while the import was open.
  const unsure = found.filter(({ end }) => !isFinal(end, since.recordedAt)).map(({ position }) => position);
  const recordedAt = await instantsOf(log, unsure);
  return found
    .filter(({ end, position }) => isFinal(end, recordedAt.get(position) ?? since.recordedAt))
    .sort((one, other) => (one.start < other.start ? 1 : one.start > other.start ? -1 : one.place - other.place));
}

const READ_AT_A_TIME = 250;

/** The recording instants of the records at these positions. */
async function instantsOf(log: FinalRunsDependencies['log'], positions: readonly number[]) {
  const distinct = [...new Set(positions)];
  const instants = new Map<number, number>();
  for (let from = 0; from < distinct.length; from += READ_AT_A_TIME)
    for (const { position, recordedAt } of await log.readAt(distinct.slice(from, from + READ_AT_A_TIME)))
      instants.set(position, recordedAt);
  return instants;
}
