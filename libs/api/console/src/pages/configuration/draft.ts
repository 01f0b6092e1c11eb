import { effect, signal } from '@preact/signals';
import { session } from '../../api/session.ts';

interface Draft {
  /** Nobody else is shown it. */
  readonly by: string | null;
  readonly text: string;
}

/** What is written and not published. It outlives the page and the session, and ends with the window. */
const kept = signal<Draft | null>(null);

const who = (): string | null => (typeof session.value === 'object' ? (session.value?.by ?? null) : null);

/** null: it is what is in force. */
export const draftText = (): string | null => (kept.value?.by === who() ? (kept.value?.text ?? null) : null);

export const keepDraft = (text: string | null): void => {
  kept.value = text === null ? null : { by: who(), text };
};

effect(() => {
  if (kept.value === null) return;
  const ask = (event: Event) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
});
