import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTemporary, messageOfChange } from '../api/client.ts';
import { Refusal } from './elements.tsx';

/**
 * A dialog for an action: its fields, and why it was refused. It is open while it is rendered. The caller stops
 * rendering it on `onClose`, which Escape triggers as well.
 *
 * @param props.act performs the action; null while the action is not possible. An error is shown, and the dialog stays.
 */
export function ActionDialog(props: {
  readonly title: ComponentChildren;
  readonly action: string;
  readonly dangerous?: boolean;
  readonly act: (() => Promise<void>) | null;
  /** Called if no answer came: the page behind the dialog may be out of date. */
  readonly onLost?: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    // A dialog that is removed while open does not restore the focus itself.
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  /** The dialog stays open during a request, because only it can show a refusal. */
  const stayWhileBusy = (event: Event) => {
    if (busy) event.preventDefault();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (props.act === null || busy) return;
    setBusy(true);
    setFailure(null);
    props
      .act()
      .catch((error: unknown) => {
        setFailure(messageOfChange(error));
        if (isTemporary(error)) props.onLost?.();
      })
      .finally(() => setBusy(false));
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onCancel={stayWhileBusy} onClose={props.onClose}>
      <form onSubmit={submit}>
        <h2 id="dialog-title">{props.title}</h2>
        {props.children}
        <Refusal text={failure} />
        <div class="actions">
          <button type="button" class="quiet" disabled={busy} onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="submit"
            class={props.dangerous ? 'primary dangerous' : 'primary'}
            disabled={props.act === null || busy}
          >
            {busy ? 'Recording …' : props.action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** The reason, which is recorded with the action. */
export const ReasonField = (props: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly children?: ComponentChildren;
}) => (
  <label>
    Reason (recorded in the log)
    <input
      required
      maxLength={1_000}
      value={props.value}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
    {props.children && <small class="muted">{props.children}</small>}
  </label>
);
