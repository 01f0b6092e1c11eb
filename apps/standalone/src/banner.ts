export interface BannerValues {
  readonly url: string;
  readonly place: string;
  /** A folder with an unused database of release 0.1; null if there is none. */
  readonly unused: string | null;
  /** The file that variables were read from, or null if there is none. */
  readonly settings: string | null;
  /** A metric for the example request. */
  readonly metric: string;
  /** A new key; null if the operator has set one. */
  readonly shownOnce: string | null;
  /** Whether LAUREL_API_KEY is set. */
  readonly keyIsGiven: boolean;
  /** The URL of the console, with a token after `#` that signs in once; null if the console is switched off. */
  readonly console: string | null;
  /** The configuration in force. */
  readonly config: string;
  /** null for the system clock. */
  readonly clock: string | null;
}

/** The text printed at a start, at most twelve lines. The curl line works unchanged. */
export function banner({
  url,
  place,
  unused,
  settings,
  metric,
  shownOnce,
  keyIsGiven,
  console,
  config,
  clock,
}: BannerValues): string {
  const body = `{"user":{"id":"ada","tz":"Europe/London"},"value":1}`;
  const key = shownOnce ?? '$LAUREL_API_KEY';
  return [
    `Laurel is ready at ${url}`,
    `  data     ${place}`,
    ...(unused === null ? [] : [`           ${unused} holds another database, not used`]),
    `  config   ${config}`,
    ...(settings === null ? [] : [`  settings ${settings}`]),
    ...(clock === null ? [] : [`  clock    ${clock}`]),
    ...keyLines(shownOnce, keyIsGiven),
    ...(console === null ? [] : [`  console  ${console}`]),
    '',
    `Try it${shownOnce === null ? ' (with your key in LAUREL_API_KEY)' : ''}:`,
    `curl ${url}/api/metrics/${metric}/event -H "X-API-KEY: ${key}" -H "Content-Type: application/json" -d '${body}'`,
  ].join('\n');
}

function keyLines(shownOnce: string | null, keyIsGiven: boolean): string[] {
  if (shownOnce !== null) return [`  API key  ${shownOnce}`, '           shown this once: keep it'];
  if (keyIsGiven) return ['  API key  that of LAUREL_API_KEY'];
  return ['  API key  was shown once; make another with: npx laurel keys create --label NAME --scope ingest'];
}
