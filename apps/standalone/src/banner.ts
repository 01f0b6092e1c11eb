export interface BannerFacts {
  readonly url: string;
  readonly place: string;
  /** A folder with another database, of release 0.1; null: there is none. */
  readonly unused: string | null;
  /** A metric to try. */
  readonly metric: string;
  /** A key that was just made; null: the operator has one. */
  readonly shownOnce: string | null;
  /** Where the console is; behind `#`, what signs in once. null: it is switched off. */
  readonly console: string | null;
  /** Which configuration is in force. */
  readonly config: string;
  /** null: the machine's clock. */
  readonly clock: string | null;
}

/** What a start says, in at most twelve lines. The curl line works as it stands. */
export function banner({ url, place, unused, metric, shownOnce, console, config, clock }: BannerFacts): string {
  const body = `{"user":{"id":"ada","tz":"Europe/London"},"value":1}`;
  const key = shownOnce ?? '$LAUREL_API_KEY';
  return [
    `Laurel is ready at ${url}`,
    `  data     ${place}`,
    ...(unused === null ? [] : [`           ${unused} holds another database, not used`]),
    `  config   ${config}`,
    ...(clock === null ? [] : [`  clock    ${clock}`]),
    ...(shownOnce === null ? [] : [`  API key  ${shownOnce}`, '           shown this once: keep it']),
    ...(console === null ? [] : [`  console  ${console}`]),
    '',
    `Try it${shownOnce === null ? ' (with your key in LAUREL_API_KEY)' : ''}:`,
    `curl ${url}/api/metrics/${metric}/event -H "X-API-KEY: ${key}" -H "Content-Type: application/json" -d '${body}'`,
  ].join('\n');
}
