import { USER_AREAS } from '@laurel/areas';
import {
  storedRows,
  tablesOf,
  type ChainMessage,
  type Configuration,
  type LogRecord,
  type Row,
  type Subject,
} from '@laurel/contracts';
import { decodeMessage, encodeMessage } from '@laurel/projections';
import { emptyBoards } from './live.ts';
import { rowText, sortedStates, standingsOf, userRecords, type Outcome, type Outcomes } from './outcome.ts';

/**
 * The log through the areas on messages, as services apply it: each area's section reaches the next one as JSON. A state is read again
 * for every event if they are stored. Rows are told as they are stored, or as areas add them.
 */
export async function onMessages(
  records: readonly LogRecord[],
  { stored, rowsAs = 'stored' }: { readonly stored: boolean; readonly rowsAs?: 'stored' | 'added' },
): Promise<Outcomes> {
  const boards = emptyBoards();
  const states = new Map<Subject, readonly unknown[]>();
  const outcomes: Outcome[] = [];
  const runs: string[] = [];
  for (const { record, configuration } of userRecords(records)) {
    const { subject } = record.fact;
    const user = applyAreas(
      states.get(subject) ?? USER_AREAS.map((area) => area.initial()),
      { record },
      configuration,
      rowsAs,
    );
    states.set(subject, stored ? throughJson(user.states) : user.states);
    const layer = boards.openLayer(null);
    await boards.load(layer.missing(user.message, configuration));
    const { section, rows } = layer.project(user.message, configuration);
    layer.publish();
    const changes = rows.get('rank_changes') ?? [];
    for (const row of changes) runs.push(`${String(row['board'])}\0${String(row['run_start'])}`);
    outcomes.push({
      ...outcomeOf({ ...user.message, leaderboards: section }),
      rows: [...user.rows, ...changes.map((row) => rowText('rank_changes', row))].sort(),
      states: sortedStates(encoded(user.states)),
      dueAt: dueAt(user.states, configuration),
    });
  }
  return { outcomes, standings: await standingsOf(boards, runs) };
}

function applyAreas(
  before: readonly unknown[],
  given: ChainMessage,
  configuration: Configuration,
  rowsAs: 'stored' | 'added',
) {
  const rows: string[] = [];
  let message = given;
  const states = USER_AREAS.map((area, index) => {
    const projected = area.project(before[index], message, configuration);
    const section: unknown = projected.section;
    message = decodeMessage(encodeMessage({ ...message, [area.name]: section }));
    for (const [table, added] of projected.rows) {
      const told = rowsAs === 'stored' ? asStored(table, added) : added;
      rows.push(...told.map((row) => rowText(table, row)));
    }
    return projected.state;
  });
  return { message, states, rows };
}

const TABLES = new Map(tablesOf(USER_AREAS).map((table) => [table.name, table]));

const asStored = (table: string, rows: readonly Row[]): readonly Row[] => storedRows(TABLES.get(table) ?? {}, rows);

const encoded = (states: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(USER_AREAS.map((area, index) => [area.name, area.encode(states[index])]));

const throughJson = (states: readonly unknown[]): readonly unknown[] => {
  const stored = JSON.parse(JSON.stringify(encoded(states))) as Record<string, unknown>;
  return USER_AREAS.map((area) => area.decode(stored[area.name]));
};

function dueAt(states: readonly unknown[], configuration: Configuration): number | null {
  const due = USER_AREAS.map((area, index) => area.dueAt?.(states[index], configuration) ?? null);
  const first = Math.min(...due.map((at) => at ?? Infinity));
  return first === Infinity ? null : first;
}

function outcomeOf({ record, users, streaks, achievements, points, leaderboards }: ChainMessage) {
  if (!users || !streaks || !achievements || !points || !leaderboards) throw new Error('a section is missing');
  return {
    position: record.position,
    subject: record.fact.subject,
    user: users,
    streak: streaks,
    completed: achievements.completed,
    awards: points.awards.map(({ id: _id, ...award }) => award),
    systems: points.systems,
    ranks: leaderboards.boards.map(({ key, runStart, previousRank, rank }) => [key, runStart, previousRank, rank]),
  };
}
