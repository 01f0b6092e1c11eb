/** The user of all examples. */
export const SNIPPET_USER = 'ada';

export interface SnippetValues {
  /** URL of the service, without a trailing slash. */
  readonly url: string;
  /** Key of a metric. */
  readonly metric: string;
  /** null if the snippet takes the key from the environment. */
  readonly apiKey: string | null;
}

const EVENT = { user: { id: SNIPPET_USER, tz: 'Europe/London' }, value: 1 };

/** Snippets that record one event. Each works as it is, without installing anything but the language. */
export const SNIPPETS: Readonly<
  Record<string, { readonly name: string; readonly text: (facts: SnippetValues) => string }>
> = {
  curl: {
    name: 'curl',
    text: (facts) => `curl ${routeOf(facts)} \\
  -H "X-API-KEY: ${facts.apiKey ?? '$LAUREL_API_KEY'}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(EVENT)}'`,
  },
  typescript: {
    name: 'TypeScript',
    text: (facts) => `const answer = await fetch('${routeOf(facts)}', {
  method: 'POST',
  headers: {
    'X-API-KEY': ${facts.apiKey === null ? "process.env.LAUREL_API_KEY ?? ''" : `'${facts.apiKey}'`},
    'Content-Type': 'application/json',
    // Sent again with the same key, the event still counts once.
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ user: { id: '${SNIPPET_USER}', tz: 'Europe/London' }, value: 1 }),
});
console.log(answer.status, await answer.json());`,
  },
  python: {
    name: 'Python',
    text: (facts) => `import json
${facts.apiKey === null ? 'import os\n' : ''}import urllib.request
import uuid

request = urllib.request.Request(
    "${routeOf(facts)}",
    method="POST",
    data=json.dumps({"user": {"id": "${SNIPPET_USER}", "tz": "Europe/London"}, "value": 1}).encode(),
    headers={
        "X-API-KEY": ${facts.apiKey === null ? 'os.environ["LAUREL_API_KEY"]' : `"${facts.apiKey}"`},
        "Content-Type": "application/json",
        # Sent again with the same key, the event still counts once.
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
with urllib.request.urlopen(request, timeout=30) as answer:
    print(answer.status, json.load(answer))`,
  },
};

const routeOf = ({ url, metric }: SnippetValues): string => `${url}/api/metrics/${encodeURIComponent(metric)}/event`;
