import lazy from 'preact-iso/lazy';
import type { FunctionComponent } from 'preact';
import { may, type Scope, SUPPORT, whyMissing } from './api/session.ts';
import { NotLoaded } from './pages/not-found.tsx';
import { textOf } from './text-of.ts';

/** A page of the console that the navigation shows. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** The user needs one of these scopes. */
  readonly scopes: readonly Scope[];
  readonly page: FunctionComponent;
  /** Whether the page also shows live events. */
  readonly watches?: true;
  /** A route without which the page cannot be used. */
  readonly route?: string;
}

/** Loads a page's separate script. After an upgrade, the service no longer has the scripts of the previous version. */
const page = <P,>(load: () => Promise<FunctionComponent<P>>) =>
  lazy<FunctionComponent<P>>(() => load().catch((error: unknown) => () => <NotLoaded why={textOf(error)} />));

const Overview = page(() => import('./pages/overview.tsx').then((pages) => pages.Overview));
const FirstEvent = page(() => import('./pages/first-event.tsx').then((pages) => pages.FirstEvent));
const Users = page(() => import('./pages/users.tsx').then((pages) => pages.Users));
/** The page of one user, whose id follows in the address. */
export const User = page(() => import('./pages/user.tsx').then((pages) => pages.User));
const Metrics = page(() => import('./pages/metrics.tsx').then((pages) => pages.Metrics));
const Achievements = page(() => import('./pages/achievements.tsx').then((pages) => pages.Achievements));
const Points = page(() => import('./pages/points.tsx').then((pages) => pages.Points));
const Streaks = page(() => import('./pages/streaks.tsx').then((pages) => pages.Streaks));
const Leaderboards = page(() => import('./pages/leaderboards.tsx').then((pages) => pages.Leaderboards));
const ConfigurationPage = page(() => import('./pages/configuration.tsx').then((pages) => pages.ConfigurationPage));
const Keys = page(() => import('./pages/keys.tsx').then((pages) => pages.Keys));
const Webhooks = page(() => import('./pages/webhooks.tsx').then((pages) => pages.Webhooks));
const Audit = page(() => import('./pages/audit.tsx').then((pages) => pages.Audit));
const Operations = page(() => import('./pages/operations.tsx').then((pages) => pages.Operations));

export const PLACES: readonly (readonly [group: string, readonly Place[]])[] = [
  [
    'Watch',
    [
      { path: '/console', name: 'Overview', scopes: ['read'], page: Overview },
      { path: '/console/first-event', name: 'First event', scopes: ['admin'], page: FirstEvent, watches: true },
    ],
  ],
  [
    'People',
    [
      { path: '/console/users', name: 'Users', scopes: SUPPORT, page: Users },
      { path: '/console/metrics', name: 'Metrics', scopes: ['read'], page: Metrics },
      { path: '/console/achievements', name: 'Achievements', scopes: ['read'], page: Achievements },
      { path: '/console/points', name: 'Points', scopes: ['read'], page: Points },
      { path: '/console/streaks', name: 'Streaks', scopes: ['read'], page: Streaks },
      { path: '/console/leaderboards', name: 'Leaderboards', scopes: ['read'], page: Leaderboards },
    ],
  ],
  [
    'Run',
    [
      { path: '/console/configuration', name: 'Configuration', scopes: ['admin'], page: ConfigurationPage },
      { path: '/console/keys', name: 'API keys', scopes: ['admin'], page: Keys },
      { path: '/console/webhooks', name: 'Webhooks', scopes: ['admin'], page: Webhooks, route: '/admin/v1/webhooks' },
      { path: '/console/audit', name: 'Audit', scopes: ['admin'], page: Audit, route: '/admin/v1/audit' },
      { path: '/console/operations', name: 'Operations', scopes: ['admin'], page: Operations },
    ],
  ],
];

export const ALL = PLACES.flatMap(([, places]) => places);

export const isAt = (path: string, place: string): boolean =>
  place === '/console' ? path === place : path === place || path.startsWith(`${place}/`);

export const placeAt = (path: string): Place | undefined => ALL.find((one) => isAt(path, one.path));

/** Why somebody without these scopes cannot use a page, or null if they can. */
export const whyNot = (...scopes: readonly Scope[]): string | null =>
  may(...scopes) ? null : `It needs the scope ${scopes.join(' or ')}.`;

/** Why the signed-in user cannot use a page, or null if they can. */
export const whyHidden = ({ scopes, watches, route }: Place): string | null =>
  whyNot(...scopes) ?? (watches ? whyNot('read') : null) ?? (route === undefined ? null : whyMissing(route));
