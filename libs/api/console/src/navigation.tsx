import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { messageOf } from './api/client.ts';
import { signOut } from './api/session.ts';
import { ALL, isAt, placeAt, PLACES, whyHidden } from './places.tsx';
import { Refusal } from './ui/elements.tsx';

/** Names the pages that are not shown, grouped by the reason. */
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

export function Navigation() {
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

const Mark = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" class="mark">
    <path d="M12 21c-5-2-8-6-8-11 0-2 .6-4 1.6-5.6C6 9 8 13 12 15" />
    <path d="M12 21c5-2 8-6 8-11 0-2-.6-4-1.6-5.6C18 9 16 13 12 15" />
    <circle cx="12" cy="6" r="2.2" />
  </svg>
);
