import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { BASE_PATH } from './api/base-path.ts';
import { isTemporary, messageOf } from './api/client.ts';
import { hasEnded, restoreSession, session } from './api/session.ts';
import { Navigation } from './navigation.tsx';
import { NotFound, NotHere } from './pages/not-found.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { ALL, placeAt, User, whyHidden, whyNot } from './places.tsx';
import { textOf } from './text-of.ts';
import { Empty, PageHead } from './ui/elements.tsx';

/** The console. It is empty until it is known who is signed in. */
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
    // After a sign-in, the refusal of an earlier link must not show again.
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

/** Makes addresses in pages relative to the root of this service. */
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

/** Shown while the service does not answer. The session continues meanwhile. */
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

/** The page, or why it could not be shown. Another address is tried again. */
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

/** The page for the address, or why this user or installation cannot use it. */
function Pages() {
  const { path, route } = useLocation();
  const place = placeAt(path);
  const first = ALL.find((one) => whyHidden(one) === null);
  // The page of one user needs fewer scopes than the list of all users.
  const reason = place === undefined ? null : place.path === path ? whyHidden(place) : whyNot('read');
  const isLed = path === '/console' && reason !== null && first !== undefined;
  useEffect(() => {
    if (isLed) route(first.path, true);
  }, [isLed]);
  if (isLed) return null;
  if (place !== undefined && reason !== null) return <NotHere name={place.name} reason={reason} way={first} />;
  return (
    <Router>
      {ALL.map((one) => (
        <Route key={one.path} path={one.path} component={one.page} />
      ))}
      {/* Not `:id`, because the router fails for an id that it cannot decode. */}
      <Route path="/console/users/*" component={User} />
      <Route default component={NotFound} />
    </Router>
  );
}
