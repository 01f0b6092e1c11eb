/**
 * Requests the page of the console and the script that it loads.
 *
 * @throws {Error} if either is not served
 */
export async function openConsole(url) {
  const page = await (await fetched(`${url}/console`, /^text\/html/)).text();
  const [, script] = /<script [^>]*src="(\/console\/assets\/[^"]+)"/.exec(page) ?? [];
  if (script === undefined) throw new Error(`/console loads no script: ${page}`);
  const size = (await (await fetched(`${url}${script}`, /^text\/javascript/)).arrayBuffer()).byteLength;
  if (size === 0) throw new Error(`${script} is empty`);
}

async function fetched(url, type) {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const found = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !type.test(found))
    throw new Error(`${url} was answered with ${response.status} and ${found}`);
  return response;
}
