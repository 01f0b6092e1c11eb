import { signal } from '@preact/signals';
import { answerOf, api, doneOf, onSignedOut, type Schemas } from './client.ts';

export type Session = Schemas['ConsoleSession'];
export type Scope = Session['scopes'][number];

/** `unknown`: not asked yet; null: nobody is signed in. */
export const session = signal<Session | null | 'unknown'>('unknown');
/** Whether the last session ended without anybody signing out here. */
export const hasEnded = signal(false);
/** Routes that this installation cannot answer. */
const missing = signal<readonly Schemas['MissingRoutes'][]>([]);

onSignedOut.current = () => {
  // Of whom it is not known yet, a refused link says nothing.
  if (session.value === 'unknown') return;
  hasEnded.value ||= session.value !== null;
  session.value = null;
};

// Pasted into a tab that shows the console already, a link changes only what is behind `#`, and the browser loads nothing.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
});

/**
 * Learns who is signed in; with a link's token behind `#`, signs in first and forgets it. Whoever is signed in already stays so if the
 * link is refused.
 *
 * @throws Refused
 */
export async function restoreSession(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  let refused: unknown = null;
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname + location.search);
    await answerOf(api.POST('/console/session', { body: { token } })).catch((error: unknown) => (refused = error));
  }
  await askWhoIsThere();
  if (refused !== null && session.value === null) throw refused as Error;
}

async function askWhoIsThere(): Promise<void> {
  const answer = await answerOf(api.GET('/console/session'));
  hasEnded.value = false;
  missing.value = answer.missing;
  session.value = answer.session;
}

/** @throws Refused */
export async function signIn(key: string): Promise<void> {
  await answerOf(api.POST('/console/session', { body: { key } }));
  await askWhoIsThere();
}

/** The session goes on if the service refuses. @throws Refused */
export async function signOut(): Promise<void> {
  await doneOf(api.DELETE('/console/session'));
  session.value = null;
  // A page that asked meanwhile may have been told first.
  hasEnded.value = false;
}

export const may = (scope: Scope): boolean =>
  typeof session.value === 'object' && session.value !== null && session.value.scopes.includes(scope);

/** Why this installation cannot answer a route; null: it can. */
export const whyMissing = (route: string): string | null =>
  missing.value.find(({ path }) => route.startsWith(path))?.reason ?? null;
