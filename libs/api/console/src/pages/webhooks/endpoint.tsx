import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { answerOf, api, messageOfChange, type Schemas } from '../../api/client.ts';
import { Card, Chip, Refusal, When } from '../../ui/elements.tsx';
import { whole } from '../../ui/format.ts';
import { AnswerText, Deliveries } from './deliveries.tsx';

/** One endpoint: its actions and its deliveries. */
export function Endpoint(props: {
  readonly endpoint: Schemas['Webhook'];
  readonly onChange: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const { endpoint, onChange, onSecret } = props;
  const [failure, setFailure] = useState<string | null>(null);
  const [tested, setTested] = useState<Schemas['WebhookTest'] | null>(null);
  const [busy, setBusy] = useState(false);
  const params = { path: { id: endpoint.id } };
  const act = (done: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    setTested(null);
    done()
      .then(onChange, (error: unknown) => {
        setFailure(messageOfChange(error));
        onChange();
      })
      .finally(() => setBusy(false));
  };
  const enable = () => act(() => answerOf(api.POST('/admin/v1/webhooks/{id}/enable', { params })));
  const disable = () => act(() => answerOf(api.POST('/admin/v1/webhooks/{id}/disable', { params })));
  const test = () => act(async () => setTested(await answerOf(api.POST('/admin/v1/webhooks/{id}/test', { params }))));
  const rotate = () => {
    if (!confirm(endpoint.rotatedUntil === null ? ROTATE : ROTATE_AGAIN)) return;
    act(async () => onSecret((await answerOf(api.POST('/admin/v1/webhooks/{id}/secret', { params }))).secret));
  };
  return (
    <>
      <Card title="Endpoint" wide>
        <Details of={endpoint} />
        <Refusal text={failure} />
        <div class="actions">
          <button type="button" disabled={busy} onClick={test}>
            Send a test
          </button>
          {endpoint.state === 'enabled' ? (
            <button type="button" disabled={busy} onClick={disable}>
              Disable
            </button>
          ) : (
            <button type="button" disabled={busy} onClick={enable}>
              Enable
            </button>
          )}
          <button type="button" disabled={busy} onClick={rotate}>
            Rotate the secret
          </button>
        </div>
        {tested !== null && <Tested result={tested} />}
      </Card>
      <Deliveries endpoint={endpoint} />
    </>
  );
}

const ROTATE = 'Create a new secret? The current one also signs for 24 hours.';
const ROTATE_AGAIN =
  'The secret was rotated less than 24 hours ago. Create another one? The earlier secret stops signing at once, and a receiver that still uses it refuses every delivery.';

const Details = ({ of: endpoint }: { readonly of: Schemas['Webhook'] }) => (
  <dl class="facts">
    <dt>Address</dt>
    <dd>{endpoint.url}</dd>
    <dt>Types</dt>
    <dd>{endpoint.types === null ? 'all' : endpoint.types.join(', ')}</dd>
    {endpoint.warnings.map((warning) => (
      <Fragment key={warning}>
        <dt>Warning</dt>
        <dd>{warning}.</dd>
      </Fragment>
    ))}
    <dt>Order</dt>
    <dd>{endpoint.ordering === 'strict' ? 'all in one order' : 'of each user'}</dd>
    <dt>{endpoint.state === 'enabled' ? 'Enabled' : 'Disabled'}</dt>
    <dd>
      <When at={endpoint.stateSince} />
      {endpoint.disabledBecause !== null && `: ${endpoint.disabledBecause}`}
    </dd>
    {endpoint.failingSince !== null && (
      <>
        <dt>Failing since</dt>
        <dd>
          <When at={endpoint.failingSince} />; after five days it is disabled
        </dd>
      </>
    )}
    {endpoint.rotatedUntil !== null && (
      <>
        <dt>Earlier secret</dt>
        <dd>
          signs, too, until <time dateTime={endpoint.rotatedUntil}>{endpoint.rotatedUntil}</time>
        </dd>
      </>
    )}
    {endpoint.replaying && (
      <>
        <dt>Replay</dt>
        <dd>is under way</dd>
      </>
    )}
  </dl>
);

const answeredWith = (status: number, tookMs: number | null): string =>
  `Answered with ${status}${tookMs === null ? '' : ` in ${whole(tookMs)} ms`}.${
    status >= 300 && status <= 399 ? ' No redirect is followed.' : ''
  }`;

const Tested = ({ result }: { readonly result: Schemas['WebhookTest'] }) => (
  <div role="status">
    <p>
      {result.delivered ? <Chip tone="good">arrived</Chip> : <Chip tone="bad">failed</Chip>}{' '}
      {result.status === null ? result.error : answeredWith(result.status, result.tookMs)}
    </p>
    <AnswerText text={result.response} />
  </div>
);
