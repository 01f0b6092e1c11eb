import { useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';
import { signIn } from '../api/session.ts';

/** @param refused why nobody is signed in: a link was refused, or the session has ended */
export function SignIn({ refused }: { readonly refused: string | null }) {
  const [key, setKey] = useState('');
  const [failed, setFailed] = useState<string | null>(null);
  const failure = failed ?? refused;
  const [busy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    signIn(key.trim())
      .catch((error: unknown) => setFailed(messageOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit} class="card">
        <h1>Sign in to Laurel</h1>
        <p class="muted">
          Use an API key: its scopes decide what you can see and do here. If you have no key, run{' '}
          <code>laurel console</code> on the machine of the service, which prints a link.
        </p>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          aria-describedby={failure === null ? undefined : 'refusal'}
          aria-invalid={failed !== null}
        />
        {failure !== null && (
          <p id="refusal" class="refusal" role="alert">
            {failure}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
