import { useState } from 'preact/hooks';
import { BASE_PATH } from '../api/base-path.ts';
import { answerOf, api, messageOfChange } from '../api/client.ts';
import { currentDocument } from '../api/configuration.ts';
import { useResource } from '../api/resource.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Empty, Loaded, PageHead, Refusal } from '../ui/elements.tsx';
import { EventRow } from '../ui/event-row.tsx';
import { useQuery } from '../ui/query.ts';
import { Tabs } from '../ui/tabs.tsx';
import { useArrival } from './first-event/arrival.ts';
import { SNIPPET_USER, SNIPPETS } from './first-event/snippets.ts';

/** Leads to a first visible event: a key, a snippet, and the snippet's answer. */
export function FirstEvent() {
  const document = useResource(currentDocument, []);
  return (
    <>
      <PageHead
        title="Your first event"
        about="Three steps, about a minute: a key, a snippet to paste, and the event with what it causes."
      />
      <Loaded resource={document} rows={8}>
        {({ metrics = [] }) =>
          metrics.length === 0 ? (
            <Empty title="The configuration has no metrics.">
              <p>
                An event counts for a metric. Add one in the <a href="/console/configuration">configuration</a>.
              </p>
            </Empty>
          ) : (
            <Steps metrics={metrics} />
          )
        }
      </Loaded>
    </>
  );
}

function Steps({ metrics }: { readonly metrics: readonly { readonly key: string; readonly name?: string }[] }) {
  const first = metrics[0]?.key ?? '';
  const [asked, chooseMetric] = useQuery('metric', first);
  const metric = metrics.some(({ key }) => key === asked) ? asked : first;
  const [apiKey, setApiKey] = useState<string | null>(null);
  return (
    <ol class="steps">
      <li>
        <Key apiKey={apiKey} onMade={setApiKey} />
      </li>
      <li>
        <Card title="2. Send an event">
          {metrics.length > 1 && (
            <form class="filters" onSubmit={(event) => event.preventDefault()}>
              <label>
                Metric
                <select value={metric} onChange={(event) => chooseMetric(event.currentTarget.value)}>
                  {metrics.map(({ key, name }) => (
                    <option key={key} value={key}>
                      {name ?? key}
                    </option>
                  ))}
                </select>
              </label>
            </form>
          )}
          <Snippet metric={metric} apiKey={apiKey} />
        </Card>
      </li>
      <li>
        <Arrival key={metric} metric={metric} />
      </li>
    </ol>
  );
}

function Key({ apiKey, onMade }: { readonly apiKey: string | null; readonly onMade: (key: string) => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const create = () => {
    setBusy(true);
    answerOf(api.POST('/admin/v1/keys', { body: { label: 'first event', scopes: ['ingest'] } }))
      .then(
        ({ key }) => onMade(key),
        (error: unknown) => setFailure(messageOfChange(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Card title="1. Get a key">
      {apiKey === null ? (
        <>
          <p>
            The snippets take the key from the environment variable <code>LAUREL_API_KEY</code>. If you have none at
            hand, create one here. It is filled in below, and can only record events.
          </p>
          <Refusal text={failure} />
          <button type="button" class="primary" disabled={busy} onClick={create}>
            {busy ? 'Creating …' : 'Create a key'}
          </button>
        </>
      ) : (
        <div class="notice" role="status">
          <p>Your key, filled in below. Copy it now: it is not shown again.</p>
          <p class="actions">
            <code class="secret">{apiKey}</code>
            <Copy text={apiKey} what="the key" />
          </p>
        </div>
      )}
    </Card>
  );
}

function Snippet({ metric, apiKey }: { readonly metric: string; readonly apiKey: string | null }) {
  const [asked, choose] = useQuery('in', 'curl');
  const language = Object.hasOwn(SNIPPETS, asked) ? asked : 'curl';
  const text = SNIPPETS[language]?.text({ url: location.origin + BASE_PATH, metric, apiKey }) ?? '';
  const name = SNIPPETS[language]?.name ?? '';
  return (
    <div class="snippet">
      <div class="snippet-head">
        <Tabs
          label="Language"
          chosen={language}
          onChoose={choose}
          tabs={Object.entries(SNIPPETS).map(([key, snippet]) => ({ key, name: snippet.name }))}
        />
        <Copy key={language} text={text} what={`the ${name} snippet`} />
      </div>
      <pre tabIndex={0} role="region" aria-label={`The event in ${name}`}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

function Arrival({ metric }: { readonly metric: string }) {
  const arrival = useArrival(SNIPPET_USER, metric);
  const event = typeof arrival === 'string' ? null : arrival;
  return (
    <section class={event === null ? 'card arrival' : 'card arrival arrived'}>
      <h2>3. See it arrive</h2>
      <p role="status">
        <span class="signal" aria-hidden="true" />
        {arrival === 'looking' && 'Looking for earlier events …'}
        {arrival === 'waiting' && (
          <>
            Waiting for an event of <code>{SNIPPET_USER}</code> for <code>{metric}</code>. This page updates by itself.
          </>
        )}
        {event !== null && <strong>Your event is here.</strong>}
      </p>
      {event !== null && (
        <>
          <ol class="timeline">
            <EventRow event={event} zone="Europe/London" userId={SNIPPET_USER} />
          </ol>
          <p>
            Next: see <a href={`/console/users/${SNIPPET_USER}`}>the user’s whole story</a>,{' '}
            <a href="/console">what else comes in</a>, or change{' '}
            <a href="/console/configuration">what an event causes</a>.
          </p>
        </>
      )}
    </section>
  );
}
