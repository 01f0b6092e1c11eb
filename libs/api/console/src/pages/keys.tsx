import { useRef, useState } from 'preact/hooks';
import { answerOf, api, doneOf, messageOfChange, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Card, Chip, Empty, Loaded, PageHead, Refusal, Table, When } from '../ui/elements.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';

type Scope = Schemas['Scope'];
const SCOPES: readonly (readonly [Scope, string])[] = [
  ['ingest', 'record events and users'],
  ['read', 'read users, ranks and points'],
  ['support', 'find users, give grants, correct events'],
  ['admin', 'run the service, support included'],
  ['export', 'take everything out'],
];

/** Lists, creates and revokes API keys. */
export function Keys() {
  const keys = useResource((signal) => answerOf(api.GET('/admin/v1/keys', { signal })), []);
  const [made, setMade] = useState<Schemas['CreatedApiKey'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const revoke = async (id: string, label: string) => {
    if (!confirm(`Revoke the key “${label}”? Requests with it will be refused. This cannot be undone.`)) return;
    await doneOf(api.DELETE('/admin/v1/keys/{id}', { params: { path: { id } } })).then(
      () => setFailure(null),
      (error: unknown) => setFailure(`The key “${label}” may still be in use. ${messageOfChange(error)}`),
    );
    keys.reload();
  };
  return (
    <>
      <PageHead
        title="API keys"
        about="Laurel keeps only a hash of each key, and shows a key once, when it is created."
      />
      {made && (
        <ShownOnce about={`The key “${made.label}”.`} secret={made.key} what="the key" onSeen={() => setMade(null)} />
      )}
      <NewKey
        onMade={(key) => {
          setMade(key);
          keys.reload();
        }}
        onFailed={keys.reload}
      />
      <Refusal text={failure} />
      <Loaded resource={keys}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No keys yet">
              <p>A program needs one to record events or to read.</p>
            </Empty>
          ) : (
            <Table
              caption="API keys"
              rows={all.toReversed()}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Label', cell: ({ label }) => label },
                { name: 'Scopes', cell: ({ scopes }) => scopes.map((scope) => <Chip key={scope}>{scope}</Chip>) },
                { name: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
                { name: 'State', cell: stateOf },
                {
                  name: 'Change',
                  cell: ({ id, label, revokedAt }) =>
                    revokedAt === null && (
                      <button type="button" class="quiet danger" onClick={() => void revoke(id, label)}>
                        Revoke<span class="hidden"> {label}</span>
                      </button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

function stateOf({ revokedAt, expiresAt }: Schemas['ApiKey']) {
  if (revokedAt !== null) return <Chip tone="bad">revoked</Chip>;
  if (expiresAt === null) return <Chip tone="good">in use</Chip>;
  return Date.parse(expiresAt) <= Date.now() ? (
    <Chip tone="bad">expired</Chip>
  ) : (
    <Chip>until {expiresAt.slice(0, 10)}</Chip>
  );
}

function NewKey(props: { readonly onMade: (key: Schemas['CreatedApiKey']) => void; readonly onFailed: () => void }) {
  const { onMade, onFailed } = props;
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['ingest', 'read']);
  const [failure, setFailure] = useState<string | null>(null);
  const busy = useRef(false);
  const submit = (event: Event) => {
    event.preventDefault();
    // A second press would create another key, and only one of them would be shown.
    if (busy.current) return;
    busy.current = true;
    answerOf(api.POST('/admin/v1/keys', { body: { label, scopes: [...scopes] } }))
      .then(
        (key) => {
          setLabel('');
          setFailure(null);
          onMade(key);
        },
        (error: unknown) => {
          setFailure(messageOfChange(error));
          onFailed();
        },
      )
      .finally(() => (busy.current = false));
  };
  return (
    <Card title="Create a key" wide>
      <form onSubmit={submit} class="form">
        <label>
          Label
          <input required maxLength={255} value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        <fieldset>
          <legend>Scopes</legend>
          {SCOPES.map(([scope, about]) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ currentTarget }) =>
                  setScopes(currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              <span>
                <strong>{scope}</strong> {about}
              </span>
            </label>
          ))}
        </fieldset>
        <Refusal text={failure} />
        <button type="submit" class="primary" disabled={scopes.length === 0}>
          Create key
        </button>
      </form>
    </Card>
  );
}
