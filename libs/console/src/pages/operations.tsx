import { useState } from 'preact/hooks';
import { answerOf, api, messageOf } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Card, Chip, Loaded, PageHead, Refusal } from '../ui/elements.tsx';
import { whole } from '../ui/format.ts';

/** What an operator does now and then: rebuild, and compare. */
export function Operations() {
  const status = useResource((signal) => answerOf(api.GET('/admin/v1/status', { signal })), [], 2_000);
  const [failure, setFailure] = useState<string | null>(null);
  const rebuild = () => {
    if (!confirm('Write all read models anew from the log? The service goes on meanwhile.')) return;
    answerOf(api.POST('/admin/v1/rebuilds', { body: {} })).then(
      () => {
        setFailure(null);
        status.reload();
      },
      (error: unknown) => setFailure(messageOf(error)),
    );
  };
  return (
    <>
      <PageHead title="Operations" about="The service as a process: rebuilds, and what it runs." />
      <Refusal text={failure} />
      <Loaded resource={status}>
        {({ rebuild: last, version, tzDataVersion, now, clock }) => (
          <div class="columns">
            <Card
              title="Rebuild"
              action={
                <button type="button" onClick={rebuild}>
                  Rebuild all
                </button>
              }
            >
              {last === null ? (
                <p class="muted">None since the process started.</p>
              ) : (
                <>
                  <p>
                    <Chip tone={last.state === 'failed' ? 'bad' : last.state === 'done' ? 'good' : 'accent'}>
                      {last.state}
                    </Chip>{' '}
                    {whole(last.applied)} of {whole(last.head)} events
                  </p>
                  <progress max={Math.max(1, last.head)} value={last.applied} aria-label="Events applied again" />
                  {last.error !== null && <p class="refusal">{last.error}</p>}
                </>
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
    </>
  );
}
