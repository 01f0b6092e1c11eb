import { answerOf, api, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Bars } from '../charts/bars.tsx';
import { BadgeLink } from '../ui/badge-link.tsx';
import { Card, Empty, Loaded, NotConfigured, PageHead } from '../ui/elements.tsx';
import { whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { Tabs } from '../ui/tabs.tsx';

/** The distribution of points, system by system. */
export function Points() {
  const systems = useResource((signal) => answerOf(api.GET('/v1/points', { signal })), []);
  const [chosen, choose] = useQuery('system', systems.value?.[0]?.key ?? '');
  return (
    <>
      <PageHead title="Points" about="How many users have how many points, and how many are on each level." />
      <Loaded resource={systems}>
        {(all) =>
          all.length === 0 ? (
            <NotConfigured kind="points systems" />
          ) : (
            <>
              <Tabs
                label="Points system"
                chosen={chosen}
                onChoose={choose}
                tabs={all.map(({ key, name }) => ({ key, name }))}
              />
              <System key={chosen} system={chosen} badgeUrl={all.find(({ key }) => key === chosen)?.badgeUrl ?? null} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function System({ system, badgeUrl }: { readonly system: string; readonly badgeUrl: string | null }) {
  const path = { key: system };
  const spread = useResource(
    (signal) => answerOf(api.GET('/v1/points/{key}/summary', { params: { path }, signal })),
    [system],
  );
  const levels = useResource(
    async (signal) => {
      const found = await answerOf(api.GET('/v1/points/{key}/levels', { params: { path }, signal }));
      return found.length === 0
        ? []
        : answerOf(api.GET('/v1/points/{key}/level-summary', { params: { path }, signal }));
    },
    [system],
  );
  return (
    <div class="columns">
      <Card title="Users by points" action={<BadgeLink url={badgeUrl} of={system} />}>
        <Loaded resource={spread}>
          {(ranges) => <Bars caption={`Users by points in ${system}`} unit="users" bars={ranges.map(barOfRange)} />}
        </Loaded>
      </Card>
      <Card title="Users by level">
        <Loaded resource={levels}>
          {(counts) =>
            counts.length === 0 ? (
              <Empty title="The system has no levels." />
            ) : (
              <>
                <Bars
                  caption={`Users by level in ${system}`}
                  unit="users"
                  bars={counts.map(({ level, users }) => ({ label: level?.name ?? 'below all', value: users }))}
                />
                <Badges levels={counts.flatMap(({ level }) => level ?? [])} />
              </>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

function Badges({ levels }: { readonly levels: readonly Schemas['PointsLevel'][] }) {
  const links = levels.filter(({ badgeUrl }) => badgeUrl !== null);
  if (links.length === 0) return null;
  return (
    <p class="actions">
      <span class="muted">Badges:</span>
      {links.map(({ key, name, badgeUrl }) => (
        <BadgeLink key={key} url={badgeUrl} of={name}>
          {name}
        </BadgeLink>
      ))}
    </p>
  );
}

const barOfRange = ({ from, to, users }: Schemas['PointsRange']) => ({
  label: from === to ? whole(from) : `${whole(from)}–${whole(to)}`,
  value: users,
});
