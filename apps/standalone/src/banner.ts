export interface BannerFacts {
  readonly url: string;
  readonly place: string;
  /** A folder with another database, of release 0.1; null: there is none. */
  readonly unused: string | null;
  /** The file that variables were read from; null: none. */
  readonly settings: string | null;
  /** A metric to try. */
  readonly metric: string;
  /** A key that was just made; null: the operator has one. */
  readonly shownOnce: string | null;
  /** Whether LAUREL_API_KEY is set. */
  readonly keyIsGiven: boolean;
  /** Where the console is; behind `#`, what signs in once. null: it is switched off. */
  readonly console: string | null;
  /** Which configuration is in force. */
  readonly config: string;
  /** null: the machine's clock. */
  readonly clock: string | null;
}

/** What a start says, in at most twelve lines. The curl line works as it stands. */
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
}: BannerFacts): string {
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
