/**
 * The page `/`: the service and its state, the console, and how to send the first event. Its addresses are relative,
 * like those of `/docs`.
 */
export const homePage = (version: string, hasConsole: boolean): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Laurel</title>
    <link rel="stylesheet" href="docs/home.css">
    <link rel="icon" type="image/png" href="docs/favicon.png">
  </head>
  <body>
    <h1>Laurel ${version}</h1>
    <p>Post one metric event of a user; the answer holds everything that it caused.</p>
    <p id="status">Status: see <a href="readyz">/readyz</a>.</p>
${hasConsole ? CONSOLE : ''}    <h2>Send the first event</h2>
    <p>Put the API key that the first start printed, and a metric of your configuration, into this line:</p>
    <pre id="curl">curl http://127.0.0.1:3000/api/metrics/METRIC/event -H "X-API-KEY: $LAUREL_API_KEY" -H "Content-Type: application/json" -d '{"user":{"id":"ada","tz":"Europe/London"},"value":1}'</pre>
    <h2>Read more</h2>
    <ul>
      <li><a href="docs">API documentation</a>, also as <a href="openapi.json">OpenAPI</a></li>
      <li><a href="docs/errors">What every error means</a></li>
      <li><a href="readyz">Readiness</a> and <a href="healthz">health</a></li>
    </ul>
    <script src="docs/home.js"></script>
  </body>
</html>
`;

const CONSOLE = `    <p>See events as they come, users and the configuration in the <a href="console">console</a>.</p>
`;

/** Optional: without JavaScript, the page is still complete. */
export const HOME_SCRIPT = `const status = document.getElementById('status');
const curl = document.getElementById('curl');
const base = new URL('.', location.href).href.replace(/\\/$/, '');
curl.textContent = curl.textContent.replace('http://127.0.0.1:3000', base);
fetch('readyz').then(async (response) => {
  const { components = {} } = await response.json();
  const failing = Object.entries(components).filter(([, { ok }]) => !ok).map(([name]) => name);
  status.textContent = response.ok ? 'Status: ready.' : 'Status: not ready (' + (failing.join(', ') || 'starting') + ').';
}).catch(() => undefined);
`;

export const HOME_STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
pre { overflow-x: auto; background: #f4f4f4; padding: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
