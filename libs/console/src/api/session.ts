import { signal } from '@preact/signals';
import { answerOf, api, doneOf, onSignedOut, type Schemas } from './client.ts';

export type Session = Schemas['ConsoleSession'];
export type Scope = Session['scopes'][number];

/** `unknown`: not asked yet; null: nobody is signed in. */
export const session = signal<Session | null | 'unknown'>('unknown');

onSignedOut.current = () => (session.value = null);

/** Learns who is signed in; with a link's token behind `#`, signs in first and forgets it. @throws Refused */
export async function restoreSession(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname + location.search);
    session.value = await answerOf(api.POST('/console/session', { body: { token } }));
    return;
  }
  session.value = (await answerOf(api.GET('/console/session'))).session;
}

/** @throws Refused */
export async function signIn(key: string): Promise<void> {
  session.value = await answerOf(api.POST('/console/session', { body: { key } }));
}

/** The session goes on if the service refuses. @throws Refused */
export async function signOut(): Promise<void> {
  await doneOf(api.DELETE('/console/session'));
  session.value = null;
}

export const may = (scope: Scope): boolean =>
  typeof session.value === 'object' && session.value !== null && session.value.scopes.includes(scope);
