import { useMemo, useRef, useState } from 'preact/hooks';
import { answerOf, api, Refused, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Card, Chip, Loaded, PageHead, Table, When } from '../ui/elements.tsx';
import { useQuery } from '../ui/query.ts';
import { Difference } from './configuration/difference.tsx';
import { textOf } from './configuration/document-text.ts';
import { draftText, keepDraft } from './configuration/draft.ts';
import { Editor, type EditorHandle, type Problem } from './configuration/editor.tsx';

interface Refusal {
  readonly sentence: string;
  readonly items: readonly Problem[];
}

/**
 * Edit, plan and publish. Publishing works only while the version in force is the one that the draft was planned
 * against.
 */
export function ConfigurationPage() {
  const versions = useResource((signal) => answerOf(api.GET('/admin/v1/configurations', { signal })), []);
  const [version, setVersion] = useQuery('version', 'current');
  const shown = useResource(
    (signal) => answerOf(api.GET('/admin/v1/configurations/{version}', { params: { path: { version } }, signal })),
    [version],
  );
  const stored = useMemo(() => (shown.value === null ? '' : textOf(shown.value)), [shown.value]);
  const draft = draftText();
  const text = draft ?? stored;
  const [plan, setPlan] = useState<{ readonly of: string; readonly plan: Schemas['ConfigurationPlan'] } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const editor = useRef<EditorHandle>(null);

  const attempt = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      await work();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  const makePlan = () =>
    attempt(async () => {
      setPlan(null);
      const made = await answerOf(api.POST('/admin/v1/configurations/plan', { body: { text } }));
      setPlan({ of: text, plan: made });
    });
  const publish = () =>
    attempt(async () => {
      const body = { text, plan: plan?.plan.id ?? null, ...(reason !== '' && { reason }) };
      try {
        await answerOf(api.POST('/admin/v1/configurations', { body }));
      } catch (error) {
        if (!(error instanceof Refused) || error.problem?.code !== 'stale_plan') throw error;
        const again = await answerOf(api.POST('/admin/v1/configurations/plan', { body: { text } }));
        setPlan({ of: text, plan: again });
        throw new Error('Another version was published meanwhile. This is the plan against it: read it, then publish.');
      }
      setPlan(null);
      setReason('');
      // If more was typed meanwhile, that is a new draft.
      if (draftText() === text) keepDraft(null);
      setVersion('current');
      versions.reload();
      shown.reload();
    });
  const isPlanned = plan !== null && plan.of === text;
  const take = (from: number) => {
    if (draft !== null && !confirm(`Use version ${from} as the draft? Your changes will be lost.`)) return;
    keepDraft(null);
    setVersion(String(from));
  };
  return (
    <>
      <PageHead
        title="Configuration"
        about="Metrics, streak, achievements, points and leaderboards. Each publication is a new version."
      />
      <div class="columns editor">
        <Card title={shown.value === null ? 'Document' : `Version ${shown.value.version}`}>
          <Loaded resource={shown} rows={10}>
            {() => (
              <>
                <Editor
                  value={text}
                  onInput={(written) => keepDraft(written === stored ? null : written)}
                  problems={refusal?.items ?? NONE}
                  label="The document, as YAML"
                  describedBy="Tab indents. Press Escape, then Tab, to leave the editor."
                  handle={editor}
                />
                <p class="muted">
                  <kbd>Ctrl</kbd> <kbd>Space</kbd> suggests what fits. <kbd>Tab</kbd> indents; <kbd>Escape</kbd>, then{' '}
                  <kbd>Tab</kbd> leaves the editor.
                </p>
                <div class="actions">
                  <button
                    type="button"
                    class={isPlanned ? '' : 'primary'}
                    aria-disabled={busy}
                    onClick={() => void makePlan()}
                  >
                    {plan === null || isPlanned ? 'Plan' : 'Plan again'}
                  </button>
                  {draft !== null && (
                    <button type="button" class="quiet" onClick={() => keepDraft(null)}>
                      Discard
                    </button>
                  )}
                  <span class="muted" role="status">
                    {draft !== null && 'Your unpublished draft. It is kept until this window is closed.'}
                  </span>
                </div>
              </>
            )}
          </Loaded>
        </Card>
        <Card title="Plan">
          {refusal !== null && (
            <div class="failure" role="alert">
              <p>{refusal.sentence}</p>
              <ul>
                {refusal.items.map(({ path, message }) => (
                  <li key={path + message}>
                    <button type="button" class="quiet" onClick={() => editor.current?.goTo(path)}>
                      {path}
                    </button>{' '}
                    {message}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {plan === null ? (
            refusal === null && <p class="muted">Plan the draft to see what publishing it would change.</p>
          ) : (
            <>
              {!isPlanned && (
                <p class="notice" role="status">
                  The draft has changed since. Plan it again to publish it.
                </p>
              )}
              <Plan plan={plan.plan} />
              {isPlanned && plan.plan.changes.length === 0 && draft !== null && (
                <div class="actions">
                  <button type="button" class="primary" aria-disabled={busy} onClick={() => void publish()}>
                    Keep this text
                  </button>
                  <span class="muted">It makes no version: version {plan.plan.current} shows it from then on.</span>
                </div>
              )}
            </>
          )}
          {isPlanned && plan.plan.changes.length > 0 && (
            <form
              class="form"
              onSubmit={(event) => {
                event.preventDefault();
                void publish();
              }}
            >
              <label>
                Reason (recorded in the log)
                <input maxLength={1_000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
              </label>
              <button type="submit" class="primary" disabled={busy}>
                Publish version {plan.plan.next}
              </button>
            </form>
          )}
        </Card>
      </div>
      <Card title="Versions" wide>
        <Loaded resource={versions}>
          {(all) => (
            <Table
              caption="Published versions, newest first"
              rows={all.toSorted((a, b) => b.version - a.version)}
              keyOf={(row) => row.version}
              columns={[
                { name: 'Version', numeric: true, cell: (row) => row.version },
                { name: 'Published', cell: ({ publishedAt }) => <When at={publishedAt} /> },
                { name: 'By', cell: ({ publishedBy }) => publishedBy ?? <span class="muted">not recorded</span> },
                { name: 'Reason', cell: (row) => row.reason ?? <span class="muted">–</span> },
                {
                  name: 'Draft',
                  cell: (row) =>
                    row.current ? (
                      <Chip tone="good">in force</Chip>
                    ) : (
                      <button type="button" class="quiet" onClick={() => take(row.version)}>
                        Use as draft
                      </button>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {versions.value !== null && versions.value.length > 1 && (
        <Difference versions={versions.value.map((one) => one.version)} />
      )}
    </>
  );
}

const NONE: readonly Problem[] = [];

const Plan = ({ plan }: { readonly plan: Schemas['ConfigurationPlan'] }) =>
  plan.changes.length === 0 ? (
    <p>The draft equals the version in force: nothing would change.</p>
  ) : (
    <ul class="list">
      {alike(plan.changes).map(({ kind, effect, paths }) => (
        <li key={`${kind} ${effect}`}>
          <span>
            <Chip tone={kind === 'added' ? 'good' : kind === 'removed' ? 'bad' : 'accent'}>{kind}</Chip>
            {paths.map((path) => (
              <code key={path}>{path} </code>
            ))}
          </span>
          <span class="muted">{effect}</span>
        </li>
      ))}
    </ul>
  );

type Change = Schemas['ConfigurationPlan']['changes'][number];

/** Groups changes of the same kind with the same effect, so that the effect is read once. */
function alike(changes: readonly Change[]) {
  const groups = new Map<string, Pick<Change, 'kind' | 'effect'> & { readonly paths: string[] }>();
  for (const { kind, effect, path } of changes) {
    const key = `${kind} ${effect}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kind, effect, paths: [path] });
    else group.paths.push(path);
  }
  return [...groups.values()];
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) {
    const items = error.problem?.errors ?? [];
    return { sentence: items.length > 0 ? 'The draft cannot be published as it is:' : error.message, items };
  }
  return { sentence: error instanceof Error ? error.message : String(error), items: [] };
}
