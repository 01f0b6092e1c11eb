import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf, api, messageOfChange, type Schemas } from '../../api/client.ts';
import { useList } from '../../api/resource.ts';
import { Card, Chip, Empty, ListTable, Refusal, When } from '../../ui/elements.tsx';
import { whole } from '../../ui/format.ts';
import { useQuery } from '../../ui/query.ts';
import { Tabs } from '../../ui/tabs.tsx';

type Delivery = Schemas['WebhookDelivery'];
type State = Delivery['state'];

const PAGE = 20;
const STATES: readonly State[] = ['waiting', 'pending', 'failed', 'delivered', 'abandoned'];
const NAMES: Readonly<Record<State, string>> = {
  waiting: 'waits for another',
  pending: 'not tried yet',
  failed: 'failed',
  delivered: 'delivered',
  abandoned: 'given up',
};
const TONES: Readonly<Partial<Record<State, 'good' | 'bad'>>> = { failed: 'bad', delivered: 'good', abandoned: 'bad' };

/** Deliveries to an endpoint and its answers, with a button to send one again. */
export function Deliveries({ endpoint }: { readonly endpoint: Schemas['Webhook'] }) {
  const { id } = endpoint;
  const [asked, choose] = useQuery('state');
  const state = STATES.find((one) => one === asked);
  const [failure, setFailure] = useState<string | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const query = { limit: PAGE, ...(state && { state }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { id }, query };
      const answer = await answerOf(api.GET('/admin/v1/webhooks/{id}/deliveries', { params, signal }));
      return { rows: answer.deliveries, next: answer.next };
    },
    [id, state],
  );
  useNews(endpoint, () => {
    // A reload would lose the place of somebody who has loaded earlier deliveries.
    if ((list.value?.length ?? 0) <= PAGE) list.reload();
  });
  const resend = (delivery: string) =>
    answerOf(
      api.POST('/admin/v1/webhooks/{id}/deliveries/{delivery}/resend', { params: { path: { id, delivery } } }),
    ).then(
      () => {
        setFailure(null);
        list.reload();
      },
      (error: unknown) => setFailure(messageOfChange(error)),
    );
  return (
    <Card
      title="Deliveries"
      wide
      action={
        <button type="button" class="quiet" onClick={list.reload}>
          Refresh
        </button>
      }
    >
      <Tabs
        label="State of the deliveries"
        chosen={state ?? ''}
        onChoose={choose}
        tabs={[{ key: '', name: 'all' }, ...STATES.map((key) => ({ key, name: NAMES[key] }))]}
      />
      <Refusal text={failure} />
      <ListTable
        list={list}
        caption="Deliveries, newest first"
        keyOf={(delivery) => delivery.id}
        columns={[
          {
            name: 'Outcome',
            cell: ({ type, sequence, replay }) => (
              <>
                {type} <span class="muted">no. {whole(sequence)}</span> {replay && <Chip>replay</Chip>}
              </>
            ),
          },
          { name: 'State', cell: ({ state: its }) => <Chip tone={TONES[its]}>{NAMES[its]}</Chip> },
          { name: 'When', cell: (delivery) => <Moment of={delivery} /> },
          { name: 'Attempts', numeric: true, cell: ({ attempts }) => whole(attempts) },
          { name: 'Status', numeric: true, cell: ({ status }) => status ?? '–' },
          { name: 'Duration', numeric: true, cell: ({ tookMs }) => (tookMs === null ? '–' : `${whole(tookMs)} ms`) },
          {
            name: 'Answer',
            cell: ({ error, response }) => (
              <>
                {error !== null && <p>{error}</p>}
                <AnswerText text={response} />
              </>
            ),
          },
          {
            name: 'Again',
            cell: (delivery) =>
              delivery.state !== 'waiting' && (
                <button type="button" class="quiet" onClick={() => void resend(delivery.id)}>
                  Resend<span class="hidden"> no. {whole(delivery.sequence)}</span>
                </button>
              ),
          },
        ]}
        empty={
          <Empty title={state === undefined ? 'Nothing was sent yet.' : 'There are none in this state.'}>
            <p>Laurel keeps a delivery for 7 days after it arrived, and for 30 days after giving it up.</p>
          </Empty>
        }
      />
    </Card>
  );
}

/** Calls `reload` when the state of an endpoint has changed since it was shown. */
function useNews({ behind, unfinished, abandoned, lastSuccessAt }: Schemas['Webhook'], reload: () => void): void {
  const now = JSON.stringify([behind, unfinished, abandoned, lastSuccessAt]);
  const seen = useRef(now);
  useEffect(() => {
    if (seen.current === now) return;
    seen.current = now;
    reload();
  }, [now]);
}

function Moment({ of: { finishedAt, nextAttemptAt } }: { readonly of: Delivery }) {
  if (finishedAt !== null) return <When at={finishedAt} />;
  if (nextAttemptAt === null) return <span class="muted">–</span>;
  return (
    <>
      next <When at={nextAttemptAt} />
    </>
  );
}

/** The answer of an endpoint, always as text. */
export const AnswerText = ({ text }: { readonly text: string | null }) =>
  text !== null &&
  text !== '' && (
    <details>
      <summary>First KiB</summary>
      <pre class="answer">{text}</pre>
    </details>
  );
