import { useState } from 'preact/hooks';
import { answerOf, api, Refused, type Schemas } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { ActionDialog, ReasonField } from '../../ui/action-dialog.tsx';
import { Chip, Loaded, Table } from '../../ui/elements.tsx';
import { titleOf } from '../../ui/event-words.ts';
import { exact, whole } from '../../ui/format.ts';

type Event = Schemas['TimelineEvent'];
type Previewed = Schemas['PreviewedUser'];

/** Sweeps and erasures cannot be retracted. */
export const canBeRetracted = ({ type }: Event): boolean => type !== 'UserErased' && type !== 'UsersSwept';

/** Retracts an event: shows what would change, and asks for a reason. */
export function Retract(props: {
  readonly event: Event;
  readonly onRetracted: () => void;
  readonly onClose: () => void;
}) {
  const { event } = props;
  const [keepsAchievements, setKeepsAchievements] = useState(false);
  const [changesFinalRuns, setChangesFinalRuns] = useState(false);
  const [reason, setReason] = useState('');
  const [again, setAgain] = useState(false);
  const request = {
    corrections: [{ eventId: event.id, retract: true as const }],
    achievements: keepsAchievements ? ('keep' as const) : ('recompute' as const),
    finalRuns: changesFinalRuns ? ('change' as const) : ('keep' as const),
  };
  const preview = useResource(
    (signal) => answerOf(api.POST('/admin/v1/corrections/previews', { body: request, signal })),
    [event.id, keepsAchievements, changesFinalRuns],
  );
  const { value } = preview;
  const retract = async () => {
    if (value === null) return;
    // The key of the preview makes a second press the same correction.
    const params = { header: { 'Idempotency-Key': value.id } };
    const body = { ...request, preview: value.id, reason };
    try {
      await answerOf(api.POST('/admin/v1/corrections', { params, body }));
    } catch (error) {
      if (!(error instanceof Refused) || error.problem?.code !== 'stale_preview') throw error;
      setAgain(true);
      return preview.reload();
    }
    props.onRetracted();
    props.onClose();
  };
  return (
    <ActionDialog
      title={event.type === 'CorrectionRecorded' ? 'Undo a correction' : `Retract ${titleOf(event)}`}
      action={event.type === 'CorrectionRecorded' ? 'Undo' : 'Retract'}
      dangerous
      act={value === null || preview.loading ? null : retract}
      onClose={props.onClose}
    >
      <p class="muted">
        Everything about the user becomes what it would be without this event. The log keeps the event, and who
        retracted it. To undo this, retract the correction.
      </p>
      {again && (
        <p role="status" class="notice">
          The user was corrected in the meantime. This is what would change now.
        </p>
      )}
      <Loaded resource={preview} rows={4}>
        {({ users }) => users.map((user) => <Changes key={user.userId} user={user} />)}
      </Loaded>
      <fieldset>
        <label class="check">
          <input
            type="checkbox"
            checked={keepsAchievements}
            onChange={({ currentTarget }) => setKeepsAchievements(currentTarget.checked)}
          />
          Completed achievements stay completed
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={changesFinalRuns}
            onChange={({ currentTarget }) => setChangesFinalRuns(currentTarget.checked)}
          />
          Also change leaderboard runs that are final
        </label>
      </fieldset>
      <ReasonField value={reason} onInput={setReason} />
    </ActionDialog>
  );
}

interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly note?: string;
}

function Changes({ user }: { readonly user: Previewed }) {
  const changes = changesOf(user);
  if (changes.length === 0) return <p>None of the user’s numbers change.</p>;
  return (
    <Table
      caption="What changes"
      rows={changes}
      keyOf={({ what }) => what}
      columns={[
        {
          name: 'What',
          cell: ({ what, note }) => (
            <>
              {what} {note && <Chip>{note}</Chip>}
            </>
          ),
        },
        { name: 'Now', numeric: true, cell: ({ before }) => before },
        { name: 'Afterwards', numeric: true, cell: ({ after }) => <strong>{after}</strong> },
      ]}
    />
  );
}

function changesOf({ metrics, points, achievements, streak, runs }: Previewed): readonly Change[] {
  const withLevel = ({ total, level }: { readonly total: number; readonly level: string | null }) =>
    level === null ? whole(total) : `${whole(total)} (${level})`;
  return [
    ...metrics.map(({ metric, before, after }) => ({ what: metric, before: exact(before), after: exact(after) })),
    ...points.map(({ system, before, after }) => ({
      what: system,
      before: withLevel(before),
      after: withLevel(after),
    })),
    ...achievements.map(({ achievement, change }) => ({
      what: achievement,
      before: change === 'revoked' ? 'completed' : 'open',
      after: change === 'revoked' ? 'open' : 'completed',
    })),
    ...(['length', 'freezes'] as const)
      .filter((part) => streak.before[part] !== streak.after[part])
      .map((part) => ({
        what: part === 'length' ? 'Streak' : 'Freezes',
        before: whole(streak.before[part]),
        after: whole(streak.after[part]),
      })),
    ...runs.map(({ board, start, end, final, stays, before, after, reachedAt }) => ({
      what: `${board}, ${end === null ? `from ${start}` : `${start} to ${end}`}`,
      ...(before === after
        ? { before: `reached ${reachedAt.before}`, after: `reached ${reachedAt.after}` }
        : { before: before === null ? 'no value' : exact(before), after: after === null ? 'no value' : exact(after) }),
      ...(final && { note: stays ? 'final, stays as it is' : 'final' }),
    })),
  ];
}
