import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Chip, Empty, Loaded, PageHead, Table, When } from '../ui/elements.tsx';
import { whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Endpoint } from './webhooks/endpoint.tsx';
import { NewEndpoint } from './webhooks/new-endpoint.tsx';

type Webhook = Schemas['Webhook'];

const AGAIN_MS = 5_000;

/** Endpoints, their state, and actions on them. */
export function Webhooks() {
  const endpoints = useResource((signal) => answerOf(api.GET('/admin/v1/webhooks', { signal })), [], AGAIN_MS);
  const [asked, choose] = useQuery('endpoint');
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<{ readonly of: string; readonly text: string } | null>(null);
  /** The id of the webhook that was just created. The list does not contain it until it is loaded again. */
  const [made, setMade] = useState('');
  const chosen = asked === '' ? endpoints.value?.[0] : endpoints.value?.find(({ id }) => id === asked);
  return (
    <>
      <PageHead title="Webhooks" about="Where outcomes are sent, and whether they arrive.">
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create an endpoint …
        </button>
      </PageHead>
      {secret && (
        <ShownOnce
          about={`The secret that signs what is sent to ${secret.of}.`}
          secret={secret.text}
          what="the secret"
          onSeen={() => setSecret(null)}
        />
      )}
      {creating && (
        <NewEndpoint
          onMade={({ id, url, secret: text }) => {
            setSecret({ of: url, text });
            setMade(id);
            choose(id);
            endpoints.reload();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      <Loaded resource={endpoints}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No endpoints yet">
              <p>
                Create one, and Laurel sends it every outcome: an achievement was completed, a streak was lost. The{' '}
                <a href="/console/configuration">configuration</a> lists the types under <code>outgoing</code>.
              </p>
            </Empty>
          ) : (
            <>
              <Endpoints all={all} chosen={chosen?.id ?? ''} onChoose={choose} />
              {chosen === undefined ? (
                asked !== made && (
                  <Empty title="There is no endpoint with this id.">
                    <p>It may have been deleted. Choose one of the endpoints above.</p>
                  </Empty>
                )
              ) : (
                <Endpoint
                  key={chosen.id}
                  endpoint={chosen}
                  onChange={endpoints.reload}
                  onSecret={(text) => setSecret({ of: chosen.url, text })}
                />
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

const Endpoints = (props: {
  readonly all: readonly Webhook[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) => (
  <Table
    caption="Endpoints"
    rows={props.all}
    keyOf={({ id }) => id}
    columns={[
      {
        name: 'Endpoint',
        cell: ({ id, url }) => (
          <button
            type="button"
            class="quiet link"
            aria-pressed={id === props.chosen}
            onClick={() => props.onChoose(id)}
          >
            {url}
          </button>
        ),
      },
      { name: 'For', cell: ({ description }) => description || <span class="muted">–</span> },
      { name: 'State', cell: (endpoint) => <State of={endpoint} /> },
      { name: 'Behind', numeric: true, cell: ({ behind }) => whole(behind) },
      { name: 'Waiting', numeric: true, cell: ({ unfinished }) => upTo(unfinished) },
      { name: 'Given up', numeric: true, cell: ({ abandoned }) => upTo(abandoned) },
      {
        name: 'Last success',
        cell: ({ lastSuccessAt }) =>
          lastSuccessAt === null ? <span class="muted">none yet</span> : <When at={lastSuccessAt} />,
      },
    ]}
  />
);

function State({ of: { state, failingSince } }: { readonly of: Webhook }) {
  if (state === 'disabled') return <Chip tone="bad">disabled</Chip>;
  return failingSince === null ? <Chip tone="good">enabled</Chip> : <Chip tone="bad">failing</Chip>;
}

/** The service counts only up to this number. */
const MOST_COUNTED = 1_000;
const upTo = (count: number): string => (count < MOST_COUNTED ? whole(count) : `${whole(MOST_COUNTED)} or more`);
