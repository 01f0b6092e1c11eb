import { answerOf, api } from '../api/client.ts';
import { useList, useResource } from '../api/resource.ts';
import { CommittedField } from '../ui/committed-field.tsx';
import { Card, Chip, Empty, ListTable, Loaded, NotConfigured, PageHead } from '../ui/elements.tsx';
import { exact, whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { Tabs } from '../ui/tabs.tsx';
import { UserLink } from '../ui/user-link.tsx';

/** Number of rows per request. */
const PAGE = 50;
/** Number of rows above a user who is searched. */
const ABOVE = 5;

/** The rankings of a board, in the run of a date. */
export function Leaderboards() {
  const boards = useResource((signal) => answerOf(api.GET('/v1/leaderboards', { signal })), []);
  const [chosen, choose] = useQuery('board', boards.value?.[0]?.key ?? '');
  return (
    <>
      <PageHead title="Leaderboards" about="The current run, or the run of any date." />
      <Loaded resource={boards}>
        {(all) =>
          all.length === 0 ? (
            <NotConfigured kind="leaderboards" />
          ) : (
            <>
              <Tabs
                label="Leaderboard"
                chosen={chosen}
                onChoose={choose}
                tabs={all.map(({ key, name }) => ({ key, name }))}
              />
              <Board key={chosen} board={chosen} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Board({ board }: { readonly board: string }) {
  const [run, setRun] = useQuery('run');
  const [around, setAround] = useQuery('around');
  const shown = useResource((signal) => rankingsOf(board, run, { limit: 0 }, signal), [board, run]);
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Run on
          <input type="date" value={run} onInput={(event) => setRun(event.currentTarget.value)} />
        </label>
        <label>
          Around user
          <CommittedField value={around} onCommit={setAround} />
        </label>
      </form>
      <Loaded resource={shown} rows={1}>
        {({ runStart, runEnd, status }) => (
          <p class="muted">
            <Chip tone={status === 'active' ? 'good' : undefined}>{status}</Chip>{' '}
            {runStart === null ? 'It has not started yet.' : `${runStart} to ${runEnd ?? 'now'}`}
          </p>
        )}
      </Loaded>
      <Rankings key={`${run} ${around}`} {...{ board, run, around }} />
      <Runs board={board} onChoose={setRun} />
    </>
  );
}

function Rankings({ board, run, around }: { readonly board: string; readonly run: string; readonly around: string }) {
  const list = useList(
    async (cursor, signal) => {
      const offset = cursor === undefined ? await offsetAround(board, run, around, signal) : Number(cursor);
      if (offset === null) return { rows: [], next: null };
      const { rankings } = await rankingsOf(board, run, { limit: PAGE, offset }, signal);
      return { rows: rankings, next: rankings.length < PAGE ? null : String(offset + PAGE) };
    },
    [board, run, around],
  );
  return (
    <ListTable
      list={list}
      caption={around === '' ? 'Rankings' : `Rankings around ${around}`}
      keyOf={({ rank }) => rank}
      columns={[
        { name: 'Rank', numeric: true, cell: ({ rank }) => whole(rank) },
        {
          name: 'User',
          cell: ({ userId, userName }) => (
            <>
              <UserLink id={userId} name={userName} />
              {userId !== '' && userId === around && <Chip tone="accent">searched</Chip>}
            </>
          ),
        },
        { name: 'Value', numeric: true, cell: ({ value }) => exact(value) },
      ]}
      empty={
        around === '' ? (
          <Empty title="Nobody is ranked in this run.">
            <p>Users with a value above 0 in the run are ranked.</p>
          </Empty>
        ) : (
          <Empty
            title={
              <>
                “<bdi>{around}</bdi>” is not ranked in this run.
              </>
            }
          >
            <p>
              Why not? Look at <a href={`/console/users/${encodeURIComponent(around)}?board=${board}`}>the user</a>.
            </p>
          </Empty>
        )
      }
    />
  );
}

function Runs({ board, onChoose }: { readonly board: string; readonly onChoose: (date: string) => void }) {
  const list = useList(
    async (cursor, signal) => {
      const params = { path: { key: board }, query: { limit: 10, ...(cursor !== undefined && { cursor }) } };
      const { runs, next } = await answerOf(api.GET('/admin/v1/leaderboards/{key}/runs', { params, signal }));
      return { rows: runs, next };
    },
    [board],
  );
  return (
    <Card title="Runs" wide>
      <ListTable
        list={list}
        caption="Runs, newest first"
        keyOf={({ start }) => start}
        columns={[
          {
            name: 'Run',
            cell: ({ start, end }) => (
              <button type="button" class="quiet link" onClick={() => onChoose(start)}>
                {end === null ? `since ${start}` : start === end ? start : `${start} to ${end}`}
              </button>
            ),
          },
          { name: 'Participants', numeric: true, cell: ({ participants }) => whole(participants) },
          { name: 'State', cell: ({ final }) => (final ? <Chip>final</Chip> : <Chip tone="good">open</Chip>) },
        ]}
        empty={<Empty title="The leaderboard has not started yet." />}
      />
    </Card>
  );
}

const rankingsOf = (
  key: string,
  run: string,
  rows: { readonly limit: number; readonly offset?: number; readonly userId?: string },
  signal: AbortSignal,
) =>
  answerOf(
    api.GET('/v1/leaderboards/{key}', {
      params: { path: { key }, query: { ...rows, ...(run !== '' && { run }) } },
      signal,
    }),
  );

/**
 * The offset of the first row: 0, or a few rows above a user. @returns null if the user is not ranked. @throws Refused
 */
async function offsetAround(board: string, run: string, user: string, signal: AbortSignal): Promise<number | null> {
  if (user === '') return 0;
  const { rankings } = await rankingsOf(board, run, { limit: 1, userId: user }, signal);
  const rank = rankings[0]?.rank;
  return rank === undefined ? null : Math.max(0, rank - 1 - ABOVE);
}
