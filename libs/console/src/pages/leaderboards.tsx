import { answerOf, api } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Chip, Empty, Loaded, PageHead, Table } from '../ui/elements.tsx';
import { exact, whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { Tabs } from '../ui/tabs.tsx';

/** Who is ahead, in the run of a date. */
export function Leaderboards() {
  const boards = useResource((signal) => answerOf(api.GET('/v1/leaderboards', { signal })), []);
  const [chosen, choose] = useQuery('board', boards.value?.[0]?.key ?? '');
  return (
    <>
      <PageHead title="Leaderboards" about="The present run, or the one of a date." />
      <Loaded resource={boards}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="The configuration has no leaderboards.">
              <p>
                Add one in the <a href="/console/configuration">configuration</a>.
              </p>
            </Empty>
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
  const shown = useResource(
    (signal) =>
      answerOf(
        api.GET('/v1/leaderboards/{key}', {
          params: {
            path: { key: board },
            query: { limit: 50, ...(run !== '' && { run }), ...(around !== '' && { userId: around }) },
          },
          signal,
        }),
      ),
    [board, run, around],
  );
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Run of the date
          <input type="date" value={run} onInput={(event) => setRun(event.currentTarget.value)} />
        </label>
        <label>
          Around the user
          <input type="search" value={around} onInput={(event) => setAround(event.currentTarget.value)} />
        </label>
      </form>
      <Loaded resource={shown} rows={8}>
        {({ rankings, runStart, runEnd, status }) => (
          <>
            <p class="muted">
              <Chip tone={status === 'active' ? 'good' : undefined}>{status}</Chip>{' '}
              {runStart === null ? 'It has not begun.' : `${runStart} to ${runEnd ?? 'now'}`}
            </p>
            {rankings.length === 0 ? (
              <Empty title="Nobody is ranked in this run." />
            ) : (
              <Table
                caption="Rankings"
                rows={rankings}
                keyOf={({ rank }) => rank}
                columns={[
                  { name: 'Rank', numeric: true, cell: ({ rank }) => whole(rank) },
                  {
                    name: 'User',
                    cell: ({ userId, userName }) => (
                      <a href={`/console/users/${encodeURIComponent(userId)}`}>{userName ?? userId}</a>
                    ),
                  },
                  { name: 'Value', numeric: true, cell: ({ value }) => exact(value) },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
