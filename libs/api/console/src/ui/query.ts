import { useLocation } from 'preact-iso/router';
import { BASE_PATH } from '../api/base-path.ts';

/** A parameter of the page's address, which stores the state of the page, and a function that changes it. */
export function useQuery(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const { path, query, route } = useLocation();
  const set = (value: string) => {
    // A late change must not return to a page that was left, or undo a later choice.
    if (location.pathname.replace(/\/+$/, '') !== BASE_PATH + path) return;
    const parameters = new URLSearchParams(location.search);
    if (value === fallback) parameters.delete(name);
    else parameters.set(name, value);
    const text = parameters.toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  return [query[name] ?? fallback, set];
}
