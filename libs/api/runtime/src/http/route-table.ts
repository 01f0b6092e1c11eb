import type { Scope } from '@laurel/schemas';

/** A route of the router. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** A key needs one of these scopes; null for a public route. */
  readonly scopes: readonly Scope[] | null;
}

/** The routes of the router, for distinguishing a wrong method from an unknown path, and for tests. */
export class RouteTable {
  readonly #routes: Route[] = [];

  add(route: Route): void {
    this.#routes.push(route);
  }

  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** The methods served at the path of this URL (encoded, with or without query); empty for an unknown path. */
  methodsAt(url: string): readonly string[] {
    const segments = segmentsOf(url);
    if (segments === null) return [];
    const matching = this.#routes.filter(({ path }) => matches(path.split('/'), segments));
    return [...new Set(matching.map(({ method }) => method))].sort();
  }
}

/** Ignores a trailing slash, as the router does. */
function segmentsOf(url: string): readonly string[] | null {
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/(?<=.)\/$/, '');
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
