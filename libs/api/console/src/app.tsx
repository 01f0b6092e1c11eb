import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Component, type ComponentChildren, type FunctionComponent } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { BASE_PATH } from './api/base-path.ts';
import { isTemporary, messageOf } from './api/client.ts';
import { Empty, PageHead, Refusal } from './ui/elements.tsx';
import { hasEnded, may, restoreSession, type Scope, session, signOut, SUPPORT, whyMissing } from './api/session.ts';
import { SignIn } from './pages/sign-in.tsx';
import { NotFound, NotHere, NotLoaded } from './pages/not-found.tsx';

interface Place {
  readonly path: string;
  readonly name: string;
  /** Of which one is needed. */
  readonly scopes: readonly Scope[];
  /** Shows what comes in, too. */
  readonly watches?: true;
  /** What the page is of no use without. */
  readonly route?: string;
}

const PLACES: readonly (readonly [string, readonly Place[]])[] = [
  [
    'Watch',
    [
      { path: '/console', name: 'Overview', scopes: ['read'] },
      { path: '/console/first-event', name: 'First event', scopes: ['admin'], watches: true },
    ],
  ],
  [
    'People',
    [
      { path: '/console/users', name: 'Users', scopes: SUPPORT },
      { path: '/console/metrics', name: 'Metrics', scopes: ['read'] },
      { path: '/console/achievements', name: 'Achievements', scopes: ['read'] },
      { path: '/console/points', name: 'Points', scopes: ['read'] },
      { path: '/console/streaks', name: 'Streaks', scopes: ['read'] },
      { path: '/console/leaderboards', name: 'Leaderboards', scopes: ['read'] },
    ],
  ],
  [
    'Run',
    [
      { path: '/console/configuration', name: 'Configuration', scopes: ['admin'] },
      { path: '/console/keys', name: 'API keys', scopes: ['admin'] },
      { path: '/console/webhooks', name: 'Webhooks', scopes: ['admin'], route: '/admin/v1/webhooks' },
      { path: '/console/audit', name: 'Audit', scopes: ['admin'], route: '/admin/v1/audit' },
      { path: '/console/operations', name: 'Operations', scopes: ['admin'] },
    ],
  ],
];

const ALL = PLACES.flatMap(([, places]) => places);

/** A page with a script of its own. After an upgrade, the service no longer has the scripts of the version before. */
const page = <P,>(load: () => Promise<FunctionComponent<P>>) =>
  lazy<FunctionComponent<P>>(() => load().catch((error: unknown) => () => <NotLoaded why={textOf(error)} />));

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const FirstEvent = page(() => import('./pages/first-event.tsx').then(({ FirstEvent: shown }) => shown));
const Overview = page(() => import('./pages/overview.tsx').then(({ Overview: shown }) => shown));
const Users = page(() => import('./pages/users.tsx').then(({ Users: shown }) => shown));
const User = page(() => import('./pages/user.tsx').then(({ User: shown }) => shown));
const Achievements = page(() => import('./pages/achievements.tsx').then(({ Achievements: shown }) => shown));
const Metrics = page(() => import('./pages/metrics.tsx').then(({ Metrics: shown }) => shown));
const Streaks = page(() => import('./pages/streaks.tsx').then(({ Streaks: shown }) => shown));
const Points = page(() => import('./pages/points.tsx').then(({ Points: shown }) => shown));
const Leaderboards = page(() => import('./pages/leaderboards.tsx').then(({ Leaderboards: shown }) => shown));
const Configuration = page(() => import('./pages/configuration.tsx').then(({ ConfigurationPage: shown }) => shown));
const Keys = page(() => import('./pages/keys.tsx').then(({ Keys: shown }) => shown));
const Webhooks = page(() => import('./pages/webhooks.tsx').then(({ Webhooks: shown }) => shown));
const Audit = page(() => import('./pages/audit.tsx').then(({ Audit: shown }) => shown));
const Operations = page(() => import('./pages/operations.tsx').then(({ Operations: shown }) => shown));

/** The console: nobody is asked to sign in twice, and nothing is shown before it is known who is there. */
export function App() {
  const [refused, setRefused] = useState<string | null>(null);
  const begin = () => {
    setRefused(null);
    restoreSession().catch((error: unknown) => {
      if (!isTemporary(error)) session.value = null;
      setRefused(messageOf(error));
    });
  };
  useEffect(begin, []);
  useEffect(() => {
    // Whoever signs out again is not told about the link that led here.
    if (typeof session.value === 'object' && session.value !== null) setRefused(null);
  }, [session.value]);
  if (session.value === 'unknown')
    return refused === null ? <p class="hidden">Loading</p> : <NotAnswered why={refused} again={begin} />;
  if (session.value === null)
    return <SignIn refused={refused ?? (hasEnded.value ? 'Your session has ended. Sign in again.' : null)} />;
  return (
    <LocationProvider scope={`${BASE_PATH}/console`}>
      <BelowBasePath>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <div class="frame">
          <Navigation />
          <main id="content" tabIndex={-1}>
            <Shown />
          </main>
        </div>
      </BelowBasePath>
    </LocationProvider>
  );
}

/** Pages know their place from the root of this service. */
function BelowBasePath({ children }: { readonly children: ComponentChildren }) {
  const at = useLocation();
  const below = useMemo(
    () => ({
      ...at,
      path: at.path.slice(BASE_PATH.length),
      route: (url: string, replace?: boolean) => at.route(BASE_PATH + url, replace),
    }),
    [at],
  );
  return <LocationProvider.ctx.Provider value={below}>{children}</LocationProvider.ctx.Provider>;
}

/** Whoever is signed in stays so while the service does not answer. */
const NotAnswered = ({ why, again }: { readonly why: string; readonly again: () => void }) => (
  <main class="sign-in">
    <div class="card">
      <h1>Laurel does not answer</h1>
      <p role="alert">{why}</p>
      <button type="button" class="primary" onClick={again}>
        Try again
      </button>
    </div>
  </main>
);

/** The page, or why it could not be shown: another address is tried anew. */
function Shown() {
  const { url } = useLocation();
  return (
    <Boundary at={url}>
      <Pages />
    </Boundary>
  );
}

interface Failed {
  readonly at: string | null;
  readonly message: string;
}

class Boundary extends Component<{ readonly at: string; readonly children: ComponentChildren }, Failed> {
  override state: Failed = { at: null, message: '' };

  static override getDerivedStateFromProps(props: { readonly at: string }, { at }: Failed): Partial<Failed> | null {
    return at === props.at ? null : { at: null };
  }

  override componentDidCatch(error: unknown): void {
    this.setState({ at: this.props.at, message: textOf(error) });
  }

  override render() {
    if (this.state.at === null) return this.props.children;
    return (
      <>
        <PageHead title="This page could not be shown" />
        <Empty title={this.state.message}>
          <p>Go to another page, or try again.</p>
          <button type="button" onClick={() => this.setState({ at: null })}>
            Try again
          </button>
        </Empty>
      </>
    );
  }
}

/** The page of the address, unless it is of no use here: then why. */
function Pages() {
  const { path, route } = useLocation();
  const place = placeAt(path);
  const first = ALL.find((one) => whyHidden(one) === null);
  // Of one user more may be seen than of all.
  const reason = place === undefined ? null : place.path === path ? whyHidden(place) : whyNot('read');
  const isLed = path === '/console' && reason !== null && first !== undefined;
  useEffect(() => {
    if (isLed) route(first.path, true);
  }, [isLed]);
  if (isLed) return null;
  if (place !== undefined && reason !== null) return <NotHere name={place.name} reason={reason} way={first} />;
  return (
    <Router>
      <Route path="/console" component={Overview} />
      <Route path="/console/first-event" component={FirstEvent} />
      <Route path="/console/users" component={Users} />
      {/* Not `:id`: the router cannot match what it cannot decode. */}
      <Route path="/console/users/*" component={User} />
      <Route path="/console/metrics" component={Metrics} />
      <Route path="/console/achievements" component={Achievements} />
      <Route path="/console/points" component={Points} />
      <Route path="/console/streaks" component={Streaks} />
      <Route path="/console/leaderboards" component={Leaderboards} />
      <Route path="/console/configuration" component={Configuration} />
      <Route path="/console/keys" component={Keys} />
      <Route path="/console/webhooks" component={Webhooks} />
      <Route path="/console/audit" component={Audit} />
      <Route path="/console/operations" component={Operations} />
      <Route default component={NotFound} />
    </Router>
  );
}

const placeAt = (path: string): Place | undefined => ALL.find((one) => isAt(path, one.path));

const whyNot = (...scopes: readonly Scope[]): string | null =>
  may(...scopes) ? null : `It needs the scope ${scopes.join(' or ')}.`;

/** Why a page is of no use to who is signed in; null: it is of use. */
const whyHidden = ({ scopes, watches, route }: Place): string | null =>
  whyNot(...scopes) ?? (watches ? whyNot('read') : null) ?? (route === undefined ? null : whyMissing(route));

/** What is not among the places, and why: the names of a reason together. */
function Hidden() {
  const hidden = new Map<string, string[]>();
  for (const place of ALL) {
    const reason = whyHidden(place);
    if (reason !== null) hidden.set(reason, [...(hidden.get(reason) ?? []), place.name]);
  }
  if (hidden.size === 0) return null;
  return (
    <div class="hidden-places muted">
      {[...hidden].map(([reason, names]) => (
        <p key={reason}>
          Not shown: {names.join(', ')}. {names.length === 1 ? reason : reason.replace(/^It needs/, 'They need')}
        </p>
      ))}
    </div>
  );
}

function Navigation() {
  const { path } = useLocation();
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const leave = () => signOut().catch((error: unknown) => setFailure(`You are still signed in. ${messageOf(error)}`));
  useEffect(() => {
    setOpen(false);
    document.title = `${placeAt(path)?.name ?? 'Laurel'} · Laurel`;
  }, [path]);
  return (
    <aside class={open ? 'sidebar open' : 'sidebar'}>
      <div class="brand">
        <a href="/console">
          <Mark /> Laurel
        </a>
        <button type="button" class="menu" aria-expanded={open} aria-controls="places" onClick={() => setOpen(!open)}>
          Menu
        </button>
      </div>
      <nav id="places" aria-label="Console">
        {PLACES.map(([group, places]) => {
          const allowed = places.filter((place) => whyHidden(place) === null);
          return (
            allowed.length > 0 && (
              <div key={group}>
                <h2>{group}</h2>
                <ul>
                  {allowed.map((place) => (
                    <li key={place.path}>
                      <a href={place.path} aria-current={isAt(path, place.path) ? 'page' : undefined}>
                        {place.name}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )
          );
        })}
      </nav>
      <Hidden />
      <Refusal text={failure} />
      <button type="button" class="quiet sign-out" onClick={() => void leave()}>
        Sign out
      </button>
    </aside>
  );
}

const isAt = (path: string, place: string): boolean =>
  place === '/console' ? path === place : path === place || path.startsWith(`${place}/`);

const Mark = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" class="mark">
    <path d="M12 21c-5-2-8-6-8-11 0-2 .6-4 1.6-5.6C6 9 8 13 12 15" />
    <path d="M12 21c5-2 8-6 8-11 0-2-.6-4-1.6-5.6C18 9 16 13 12 15" />
    <circle cx="12" cy="6" r="2.2" />
  </svg>
);
