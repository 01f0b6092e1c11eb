import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useList, useResource } from '../../api/resource.ts';
import { Ranks } from '../../charts/ranks.tsx';
import { Card, Empty, Figure, ListTable, Loaded, When } from '../../ui/elements.tsx';
import { change, counted, exact, whole } from '../../ui/format.ts';
import { useQuery } from '../../ui/query.ts';
import { Tabs } from '../../ui/tabs.tsx';

/** Number of changes in one answer. */
const CHANGES = 100;

interface OfUser {
  readonly id: string;
  readonly zone: string;
}

/** The user's rank on one board over time, and the reasons for the present rank. */
export function RanksOfUser({ id, zone }: OfUser) {
  const boards = useResource((signal) => answerOf(api.GET('/v1/leaderboards', { signal })), []);
  const all = boards.value ?? [];
  const first = all[0]?.key ?? '';
  const [asked, choose] = useQuery('board', first);
  const board = all.some(({ key }) => key === asked) ? asked : first;
  return (
    <Loaded resource={boards} rows={4}>
      {() =>
        all.length > 0 && (
          <>
            <Tabs
              label="Leaderboard"
              chosen={board}
              onChoose={choose}
              tabs={all.map(({ key, name }) => ({ key, name }))}
            />
            <div class="columns">
              <RankOverTime key={`over time ${board}`} {...{ id, board, zone }} />
              <WhyRank key={`why ${board}`} {...{ id, board, zone }} />
            </div>
          </>
        )
      }
    </Loaded>
  );
}

function RankOverTime({ id, board, zone }: OfUser & { readonly board: string }) {
  const standing = useResource(
    (signal) => {
      const params = { path: { id, key: board }, query: { numEvents: CHANGES } };
      return answerOf(api.GET('/v1/users/{id}/leaderboards/{key}', { params, signal }));
    },
    [id, board],
  );
  return (
    <Card title={standing.value === null ? 'Rank' : `Rank on ${standing.value.name}`}>
      <Loaded resource={standing} rows={6}>
        {({ rank, value, history, runEnd }) => (
          <>
            <dl class="inline-figures">
              <Figure
                label="Rank"
                value={rank === null ? '–' : whole(rank)}
                note={rank === null ? 'not ranked' : undefined}
              />
              <Figure label="Value" value={value === null ? '–' : exact(value)} />
            </dl>
            {history.length === 0 ? (
              <Empty title="Nothing that this user did counted in this run." />
            ) : (
              <>
                <Ranks
                  caption="Rank after each of the user’s own changes"
                  changes={history.map((one) => ({ at: one.timestamp, rank: one.rank, value: one.value }))}
                  until={runEnd === null ? Date.now() : Math.min(Date.now(), Date.parse(`${runEnd}T23:59:59Z`))}
                  zone={zone}
                />
                <p class="muted">Recorded when the user’s own value changes, not when others overtake them.</p>
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function WhyRank({ id, board, zone }: OfUser & { readonly board: string }) {
  const [answer, setAnswer] = useState<Schemas['ExplainedStanding'] | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const params = { path: { id, key: board }, query: cursor === undefined ? {} : { cursor } };
      const found = await answerOf(api.GET('/admin/v1/users/{id}/explain/leaderboards/{key}', { params, signal }));
      if (cursor === undefined) setAnswer(found);
      return { rows: found.contributions, next: found.next };
    },
    [id, board],
  );
  return (
    <Card title="Why this rank?">
      {answer !== null && <p>{sentenceOf(answer)}</p>}
      <ListTable
        list={list}
        caption="What made the value, newest first"
        keyOf={({ event, at, value }) => `${event.id} ${at} ${value}`}
        columns={[
          { name: 'When', cell: ({ at }) => <When at={at} zone={zone} /> },
          { name: 'Change', numeric: true, cell: (one) => change(one.change) },
          { name: 'Value', numeric: true, cell: ({ value }) => exact(value) },
        ]}
        empty={null}
      />
    </Card>
  );
}

const UNCOUNTED = {
  nothing_recorded: 'Nothing but 0 was recorded for this user of what the leaderboard ranks by.',
  outside_run: 'Everything that this user has is dated outside this run, in their own time zone.',
  recorded_before:
    'This user has something in this run from when the leaderboard was not published, or ranked by something else.',
  kept_off: 'What this user has in this run was given by hand and kept off the leaderboards.',
} as const satisfies Readonly<Record<NonNullable<Schemas['ExplainedStanding']['uncounted']>, string>>;

function sentenceOf(answer: Schemas['ExplainedStanding']): ComponentChildren {
  switch (answer.status) {
    case 'no_value':
      return answer.uncounted === null ? 'Nothing counted in this run.' : UNCOUNTED[answer.uncounted];
    case 'not_positive':
      return 'The value is not above 0, and only values above 0 are ranked.';
    case 'beyond_max_participants':
      return `The leaderboard ranks at most ${counted(answer.maxParticipants, 'user')}, and this user comes after them. ${behindOf(answer)}`;
    case 'not_begun':
      return `The leaderboard starts on ${answer.start}.`;
    case 'outside_dates':
      return 'The date is outside the dates of the leaderboard.';
    case 'ranked':
      return neighboursOf(answer);
  }
}

/** How far the user is behind the last ranked place. */
function behindOf({ behindLast, lastRanked }: Schemas['ExplainedStanding']): string {
  if (behindLast === null || lastRanked === null) return '';
  const last = `The last place has ${exact(lastRanked.value)}`;
  return behindLast === 0 ? `${last}, as the user does, but had it first.` : `${last}: ${exact(behindLast)} more.`;
}

const neighboursOf = ({ value, above, below }: Schemas['ExplainedStanding']): ComponentChildren => (
  <>
    The value is {exact(value ?? 0)}. <Neighbour where="above" place={above} />{' '}
    <Neighbour where="below" place={below} />
  </>
);

function Neighbour(props: { readonly where: string; readonly place: Schemas['NeighbouringPlace'] | null }) {
  const { where, place } = props;
  if (place === null) return <>Nobody is {where}.</>;
  const by =
    place.decidedBy === 'reached_first'
      ? 'has the same value; whoever reached it first is ahead'
      : `has ${exact(place.value)}`;
  return (
    <>
      {where === 'above' ? 'Above' : 'Below'}, <bdi>{place.userId ?? 'an erased user'}</bdi> {by}.
    </>
  );
}
