import { useLocation } from 'preact-iso/router';

/** A parameter of the page's address, and the way to change it: the state of a page is in its address. */
export function useQuery(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const { path, query, route } = useLocation();
  const set = (value: string) => {
    const parameters = new URLSearchParams(query);
    if (value === fallback) parameters.delete(name);
    else parameters.set(name, value);
    const text = parameters.toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  return [query[name] ?? fallback, set];
}
