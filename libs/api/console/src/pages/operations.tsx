import { useState } from 'preact/hooks';
import { answerOf, api, messageOfChange } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { whyMissing } from '../api/session.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Loaded, PageHead, Refusal, Table } from '../ui/elements.tsx';
import { whole } from '../ui/format.ts';
import { RebuildProgress } from '../ui/rebuild.tsx';

/** Rebuilds and digests. */
export function Operations() {
  const status = useResource((signal) => answerOf(api.GET('/admin/v1/status', { signal })), [], 2_000);
  const [failure, setFailure] = useState<string | null>(null);
  const whyNot = whyMissing('/admin/v1/rebuilds');
  const rebuild = () => {
    if (!confirm('Rebuild all read models from the log? The service keeps running meanwhile.')) return;
    answerOf(api.POST('/admin/v1/rebuilds', { body: {} })).then(
      () => {
        setFailure(null);
        status.reload();
      },
      (error: unknown) => setFailure(messageOfChange(error)),
    );
  };
  return (
    <>
      <PageHead title="Operations" about="Rebuilds, the release that is running, and a digest of the data." />
      <Refusal text={failure} />
      <Loaded resource={status}>
        {({ rebuild: last, version, tzDataVersion, now, clock }) => (
          <div class="columns">
            <Card
              title="Rebuild"
              action={
                whyNot === null && (
                  <button type="button" onClick={rebuild}>
                    Rebuild all
                  </button>
                )
              }
            >
              {last === null ? (
                <p class="muted">{whyNot ?? 'None since the process started.'}</p>
              ) : (
                <RebuildProgress rebuild={last} />
              )}
            </Card>
            <Card title="Process">
              <dl class="facts">
                <dt>Release</dt>
                <dd>{version}</dd>
                <dt>Time zone data</dt>
                <dd>{tzDataVersion}</dd>
                <dt>Clock</dt>
                <dd>{clock ?? now}</dd>
              </dl>
            </Card>
          </div>
        )}
      </Loaded>
      <Digest />
    </>
  );
}

/** Requested on demand only, because it reads all stored data. */
function Digest() {
  const [asked, setAsked] = useState(0);
  return (
    <Card
      title="Digest"
      wide
      action={
        <button type="button" onClick={() => setAsked(asked + 1)}>
          {asked === 0 ? 'Compute' : 'Compute again'}
        </button>
      }
    >
      <p class="muted">
        A hash of all that is stored, area by area: equal digests mean equal data, before and after a rebuild or on two
        services. It reads every table once, which takes a while on a large account.
      </p>
      {asked > 0 && <DigestLines key={asked} />}
    </Card>
  );
}

function DigestLines() {
  const digest = useResource((signal) => answerOf(api.GET('/admin/v1/digest', { signal })), []);
  return (
    <Loaded resource={digest} rows={6}>
      {({ position, tzDataVersion, lines }) => (
        <>
          <p role="status">
            As of event {whole(position)}, with the time zones of {tzDataVersion}.
          </p>
          <Table
            caption="Digest of each area"
            rows={lines}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Area', cell: ({ name }) => name },
              { name: 'Rows', numeric: true, cell: ({ rows }) => whole(rows) },
              { name: 'Digest', cell: (line) => <code>{line.digest}</code> },
            ]}
          />
          <p class="actions">
            <Copy text={lines.map(({ name, digest: hash }) => `${name} ${hash}`).join('\n')} what="the digests" />
          </p>
        </>
      )}
    </Loaded>
  );
}
