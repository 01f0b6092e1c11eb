import { useRef, useState } from 'preact/hooks';
import { answerOf, api, messageOf, type Schemas } from '../../api/client.ts';
import { Refusal } from '../../ui/elements.tsx';

interface GrantPointsProps {
  readonly user: Schemas['UserOverview'];
  readonly onGiven: () => void;
}

/** Points by hand, with a reason. The key of the dialog keeps a second press from giving them twice. */
export function GrantPoints({ user, onGiven }: GrantPointsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [form, setForm] = useState({ system: user.points[0]?.system ?? '', amount: '', reason: '', key: '' });
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (user.points.length === 0) return null;
  const open = () => {
    setForm({ system: user.points[0]?.system ?? '', amount: '', reason: '', key: crypto.randomUUID() });
    setFailure(null);
    dialog.current?.showModal();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const given = answerOf(
      api.POST('/admin/v1/users/{id}/grants/points', {
        params: { path: { id: user.id }, header: { 'Idempotency-Key': form.key } },
        body: { system: form.system, amount: Number(form.amount), reason: form.reason },
      }),
    );
    given
      .then(
        () => {
          dialog.current?.close();
          onGiven();
        },
        (error: unknown) => setFailure(messageOf(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" onClick={open}>
        Grant points
      </button>
      <dialog ref={dialog} aria-labelledby="grant-title">
        <form onSubmit={submit}>
          <h2 id="grant-title">Grant points to {user.name ?? user.id}</h2>
          <label>
            Points system
            <select value={form.system} onChange={(event) => setForm({ ...form, system: event.currentTarget.value })}>
              {user.points.map(({ system }) => (
                <option key={system} value={system}>
                  {system}
                </option>
              ))}
            </select>
          </label>
          <label>
            Points (negative takes points away)
            <input
              type="number"
              step="1"
              required
              value={form.amount}
              onInput={(event) => setForm({ ...form, amount: event.currentTarget.value })}
            />
          </label>
          <label>
            Reason, recorded with it
            <input
              required
              maxLength={1_000}
              value={form.reason}
              onInput={(event) => setForm({ ...form, reason: event.currentTarget.value })}
            />
          </label>
          <Refusal text={failure} />
          <div class="actions">
            <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={busy}>
              {busy ? 'Recording …' : 'Grant'}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
