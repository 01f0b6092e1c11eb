import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useList } from '../../api/resource.ts';
import { Card, Chip, Empty, ListTable, When } from '../../ui/elements.tsx';
import { change, exact, whole } from '../../ui/format.ts';
import { useQuery } from '../../ui/query.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Incomplete } from './incomplete.tsx';
import { PointsLine } from './points-line.tsx';

type Overview = Schemas['UserOverview'];

/** The points of one system over time, with each award. */
export function PointsOfUser({ user }: { readonly user: Overview }) {
  const first = user.points[0]?.pointsSystem ?? '';
  const [asked, choose] = useQuery('points', first);
  const system = user.points.some((one) => one.pointsSystem === asked) ? asked : first;
  return (
    <>
      <Tabs
        label="Points system"
        chosen={system}
        onChoose={choose}
        tabs={user.points.map((one) => ({ key: one.pointsSystem, name: one.pointsSystem }))}
      />
      <div class="columns" id="why-points" tabIndex={-1}>
        <PointsLine key={`line ${system}`} id={user.id} system={system} zone={user.tz ?? 'UTC'} />
        <WhyPoints key={`why ${system}`} id={user.id} system={system} zone={user.tz ?? 'UTC'} />
      </div>
    </>
  );
}

function WhyPoints({ id, system, zone }: { readonly id: string; readonly system: string; readonly zone: string }) {
  const [answered, setAnswered] = useState<Schemas['ExplainedPoints'] | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const answer = await answerOf(
        api.GET('/admin/v1/users/{id}/explain/points/{key}', {
          params: { path: { id, key: system }, query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      );
      if (cursor === undefined) setAnswered(answer);
      return { rows: answer.entries, next: answer.next };
    },
    [id, system],
  );
  return (
    <Card title={`Why this many ${system}?`}>
      {answered?.earned !== undefined && (
        <p class="muted">
          {whole(answered.earned)} earned, which the level follows: {answered.level ?? 'below all levels'}
        </p>
      )}
      {answered && <Incomplete answer={answered} without="how often each trigger fired" onAgain={list.reload} />}
      <ListTable
        list={list}
        caption={`Awards of ${system}`}
        keyOf={(entry) => `${entry.event.id} ${entry.trigger?.id ?? ''} ${entry.at} ${entry.total}`}
        columns={[
          { name: 'When', cell: ({ at }) => <When at={at} zone={zone} /> },
          { name: 'Why', cell: (entry) => <WhyLink entry={entry} /> },
          { name: 'Change', numeric: true, cell: (entry) => change(entry.change) },
          { name: 'Total', numeric: true, cell: ({ total }) => whole(total) },
        ]}
        empty={<Empty title={`No ${system} awarded yet.`} />}
      />
    </Card>
  );
}

const WhyLink = ({ entry }: { readonly entry: Schemas['ExplainedAward'] }) => (
  <div class="sentence">
    {entry.type === 'grant' ? `by hand: ${entry.event.reason ?? 'no reason'}` : (entry.type ?? 'award')}
    {entry.event.metric && ` · ${entry.event.metric} ${exact(entry.event.value ?? 0)}`}
    {entry.boosts?.map(({ id, name, multiplier }) => (
      <Chip key={id} tone="accent">
        {name} × {multiplier}
      </Chip>
    ))}
    {entry.cutBy && <Chip tone="accent">{CUTS[entry.cutBy]}</Chip>}
    <small class="muted">{[firings(entry), `version ${entry.version}`].filter(Boolean).join(' · ')}</small>
  </div>
);

const CUTS: Readonly<Record<NonNullable<Schemas['ExplainedAward']['cutBy']>, string>> = {
  trigger_cap: 'cut by the cap of the trigger',
  system_cap: 'cut by the cap of the system',
  cap: 'cut by the cap',
  zero: 'no total below 0',
};

/**
 * How often the trigger fired, and the points without cuts. null for an award by hand, or if the events were not
 * applied again.
 */
function firings({ trigger, times, nominal }: Schemas['ExplainedAward']): string | null {
  if (trigger === null || times === null || nominal === null) return null;
  return `fired ${times === 1 ? 'once' : `${whole(times)} times`} for ${change(nominal)}`;
}
