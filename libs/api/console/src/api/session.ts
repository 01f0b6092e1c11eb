import { signal } from '@preact/signals';
import { answerOf, api, doneOf, isTemporary, onSignedOut, type Schemas } from './client.ts';

export type Session = Schemas['ConsoleSession'];
export type Scope = Session['scopes'][number];

/** `unknown` until the service has been asked; null if nobody is signed in. */
export const session = signal<Session | null | 'unknown'>('unknown');
/** Whether the last session ended without a sign-out in this tab. */
export const hasEnded = signal(false);
/** Routes that this installation cannot answer. */
const missing = signal<readonly Schemas['MissingRoutes'][]>([]);

onSignedOut.current = () => {
  // A refused link does not change a session that is not known yet.
  if (session.value === 'unknown') return;
  hasEnded.value ||= session.value !== null;
  session.value = null;
};

/**
 * The token of the link that led here, until it is known whether it signs in. It is already removed from the address.
 */
let unanswered: string | null = null;
/** A service that does not answer within this time counts as unreachable. */
const LONGEST_MS = 10_000;

// Pasting a link into a tab with the console changes only the part after `#`, so the browser loads nothing.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
});

/**
 * Finds out who is signed in. If the address has a link's token after `#`, signs in first and removes the token. If the
 * link is refused, an earlier session continues.
 *
 * @throws Refused
 */
export async function restoreSession(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1] ?? unanswered;
  let refused: unknown = null;
  if (token !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    unanswered = token;
    const signal = AbortSignal.timeout(LONGEST_MS);
    await answerOf(api.POST('/console/session', { body: { token }, signal })).catch(
      (error: unknown) => (refused = error),
    );
    if (refused === null) tabs.postMessage(null);
    if (refused === null || !isTemporary(refused)) unanswered = null;
  }
  await readSession(refused);
}

/** @param refused why a link was refused; thrown if nobody is signed in. @throws Refused */
async function readSession(refused: unknown = null): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const answer = await answerOf(api.GET('/console/session', { signal }));
  if (refused !== null && answer.session === null) throw refused as Error;
  unanswered = null;
  hasEnded.value = false;
  missing.value = answer.missing;
  session.value = answer.session;
}

/** Tells the other tabs of this browser, which share its cookie, that a session has begun or ended. */
const tabs = new BroadcastChannel('laurel session');
tabs.addEventListener('message', () => {
  if (session.value === 'unknown') return;
  // Clears the page of the earlier session.
  session.value = null;
  readSession().catch(() => undefined);
});

/** @throws Refused */
export async function signIn(key: string): Promise<void> {
  await answerOf(api.POST('/console/session', { body: { key } }));
  tabs.postMessage(null);
  await readSession();
}

/** The session continues if the service refuses to end it. */
export async function signOut(): Promise<void> {
  await doneOf(api.DELETE('/console/session'));
  tabs.postMessage(null);
  session.value = null;
  // The request of another page may have noticed the end of the session first.
  hasEnded.value = false;
}

/** Whether the session has one of the scopes. */
export const may = (...suffices: readonly Scope[]): boolean => {
  const { value } = session;
  return typeof value === 'object' && value !== null && suffices.some((scope) => value.scopes.includes(scope));
};

/** The scopes for finding users, grants and corrections. */
export const SUPPORT: readonly Scope[] = ['support', 'admin'];

/** Why this installation cannot answer a route, or null if it can. */
export const whyMissing = (route: string): string | null =>
  missing.value.find(({ path }) => route.startsWith(path))?.reason ?? null;
