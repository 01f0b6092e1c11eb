import type { Scope } from '@laurel/schemas';

/** A route of the router. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** A key needs one of them; null: public. */
  readonly scopes: readonly Scope[] | null;
}

/** The routes that the router knows, to tell a wrong method from an unknown path and to be counted by tests. */
export class RouteTable {
  readonly #routes: Route[] = [];

  add(route: Route): void {
    this.#routes.push(route);
  }

  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** The methods that are served at the path of this URL (encoded, with or without query); none: an unknown path. */
  methodsAt(url: string): readonly string[] {
    const segments = segmentsOf(url);
    if (segments === null) return [];
    const matching = this.#routes.filter(({ path }) => matches(path.split('/'), segments));
    return [...new Set(matching.map(({ method }) => method))].sort();
  }
}

/** A slash at the end does not count, as for the router. */
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
