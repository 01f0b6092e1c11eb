import { useLocation } from 'preact-iso/router';
import { BASE_PATH } from '../api/base-path.ts';

/** A parameter of the page's address, and the way to change it: the state of a page is in its address. */
export function useQuery(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const { path, query, route } = useLocation();
  const set = (value: string) => {
    // What comes late leads nobody back to a page that was left, and takes nothing back that was chosen meanwhile.
    if (location.pathname.replace(/\/+$/, '') !== BASE_PATH + path) return;
    const parameters = new URLSearchParams(location.search);
    if (value === fallback) parameters.delete(name);
    else parameters.set(name, value);
    const text = parameters.toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  return [query[name] ?? fallback, set];
}
