import type { ComponentType } from 'preact';
import { answerOf, api, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { may } from '../api/session.ts';
import { Card, Chip, Figure, Loaded, PageHead, Table, When } from '../ui/elements.tsx';
import { bytes, counted, perSecond, short, whole } from '../ui/format.ts';
import { RebuildProgress } from '../ui/rebuild.tsx';
import { useEventRate } from './overview/event-rate.ts';
import { Live } from './overview/live.tsx';
import { Services } from './overview/services.tsx';

/** Incoming events and, for operators, the state of the service. */
export const Overview = () => (
  <>
    <PageHead title="Overview" about="Incoming events, what they cause, and the health of the service." />
    {may('admin') ? <WithStatus /> : <Activity />}
  </>
);

/** Incoming events: now, and day by day. */
const Activity = () => (
  <>
    <Live />
    <Later load={() => import('./overview/by-day.tsx').then(({ ByDay }) => ByDay)} />
  </>
);

/** A less urgent part of the page, loaded with a separate script. */
function Later({ load }: { readonly load: () => Promise<ComponentType> }) {
  const part = useResource(async () => ({ Part: await load() }), []);
  return <Loaded resource={part}>{({ Part }) => <Part />}</Loaded>;
}

function WithStatus() {
  const status = useResource((signal) => answerOf(api.GET('/admin/v1/status', { signal })), [], 5_000);
  const rate = useEventRate(status.value);
  return (
    <>
      <Loaded resource={status} rows={6}>
        {(now) => (
          <>
            <dl class="figures">
              <Figure label="Events in the log" value={short(now.head)} />
              <Figure label="Events per second" value={rate === null ? '–' : perSecond(rate)} />
              <Figure
                label="Configuration"
                value={`v${now.configurationVersion}`}
                note={<a href="/console/configuration">in force</a>}
              />
              {now.storage && (
                <Figure
                  label="Storage"
                  value={bytes(now.storage.databaseBytes)}
                  note={now.storage.freeBytes === null ? undefined : `${bytes(now.storage.freeBytes)} free`}
                />
              )}
              <Figure
                label="Health"
                value={<Health isAnswered={status.failure === null} isReady={now.ready} />}
                note={now.importOpen ? 'an import is open' : undefined}
              />
            </dl>
            {(now.problems ?? []).length > 0 && (
              <ul class="failure">
                {now.problems?.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {status.value?.importOpen && <OpenImport />}
      {status.value?.rebuild && <Rebuild rebuild={status.value.rebuild} />}
      <Activity />
      {status.value?.services && (
        <Services services={status.value.services} queryGateways={status.value.queryGateways ?? 0} />
      )}
      {status.value && <Areas status={status.value} />}
    </>
  );
}

function Health({ isAnswered, isReady }: { readonly isAnswered: boolean; readonly isReady: boolean }) {
  if (!isAnswered) return <Chip tone="bad">no answer</Chip>;
  return isReady ? <Chip tone="good">ready</Chip> : <Chip tone="bad">not ready</Chip>;
}

function OpenImport() {
  const answer = useResource((signal) => answerOf(api.GET('/admin/v1/imports', { signal })), [], 5_000);
  return (
    <Card title="Import under way" wide>
      <Loaded resource={answer} rows={1}>
        {({ open }) =>
          open === null ? (
            <p class="muted">It has just finished.</p>
          ) : (
            <p>
              {open.events === null ? 'Events come in' : counted(open.events, 'event')} since it was opened{' '}
              <When at={open.openedAt} />, the last <When at={open.lastReceivedAt} />.{' '}
              {open.reason !== null && <span class="muted">{open.reason}</span>}
            </p>
          )
        }
      </Loaded>
    </Card>
  );
}

/** A finished rebuild is not worth showing. */
const Rebuild = ({ rebuild }: { readonly rebuild: Schemas['Rebuild'] }) =>
  rebuild.state !== 'done' && (
    <Card title="Rebuild" wide>
      <RebuildProgress rebuild={rebuild} />
    </Card>
  );

const Areas = ({ status }: { readonly status: Schemas['ServiceStatus'] }) => (
  <Card title="Areas" wide>
    <Table
      caption="Areas and how far they are"
      rows={status.areas}
      keyOf={({ area }) => area}
      columns={[
        { name: 'Area', cell: ({ area }) => area },
        { name: 'Applied up to', numeric: true, cell: ({ position }) => whole(position) },
        {
          name: 'Behind',
          numeric: true,
          cell: ({ position }) => counted(Math.max(0, status.head - position), 'event'),
        },
        {
          name: 'State',
          cell: ({ failure }) =>
            failure === null ? <Chip tone="good">running</Chip> : <Chip tone="bad">halted: {failure}</Chip>,
        },
      ]}
    />
  </Card>
);
