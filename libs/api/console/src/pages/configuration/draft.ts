import { effect, signal } from '@preact/signals';
import { session } from '../../api/session.ts';

interface Draft {
  /** The author. Other users do not see the draft. */
  readonly by: string | null;
  readonly text: string;
}

/** The unpublished draft. It is kept when the page or the session ends, until the window is closed. */
const kept = signal<Draft | null>(null);

const who = (): string | null => (typeof session.value === 'object' ? (session.value?.by ?? null) : null);

/** null if there is no draft: the editor then shows the version in force. */
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
