/** A service whose state is visible at `/readyz` and `/admin/v1/status`. */
export interface WatchedService {
  readonly url: string;
  readonly apiKey: string;
  /** Other processes of the service, of which only `/readyz` is requested. */
  readonly others?: readonly string[];
}

/**
 * `green`: all processes report that they are ready. `red`: all answer, and one reports that it is not. `silent`: one
 * did not answer.
 */
export type Sight = 'green' | 'red' | 'silent';

export interface Sighting {
  readonly sight: Sight;
  /** The answer. */
  readonly answer: string;
}

const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 25;
const NOTICED_WITHIN_MS = 30_000;
const RECOVERED_WITHIN_MS = 90_000;

export interface WatchOptions {
  /** The expected signal while the fault lasts: a dead or frozen process is silent. Default: `red`. */
  readonly meanwhile?: Sight;
  /** Logs for the report if it does not recover. */
  readonly troubles?: () => string;
}

/**
 * Causes a fault, and checks that the status showed it meanwhile and is green again afterwards, without help.
 * @param fault resolves when the fault is over
 * @throws Error with the observed states
 */
export async function showsInStatus(
  service: WatchedService,
  fault: () => Promise<void>,
  { meanwhile = 'red', troubles = () => '' }: WatchOptions = {},
): Promise<void> {
  const seen = new Map<Sight, string>();
  let latest: Sighting = await lookAt(service);
  let over = false;
  const watching = (async () => {
    while (!over) {
      latest = await lookAt(service);
      seen.set(latest.sight, latest.answer);
      await pause(LOOK_EVERY_MS);
    }
  })();
  try {
    await fault();
    // A killed process is noticed a moment later.
    const noticedBy = performance.now() + NOTICED_WITHIN_MS;
    while (!seen.has(meanwhile) && performance.now() < noticedBy) await pause(LOOK_EVERY_MS);
    const missing = (): string => JSON.stringify([...seen, troubles()], null, 1);
    if (!seen.has(meanwhile)) throw new Error(`the status was never ${meanwhile} while the fault lasted: ${missing()}`);
    await becomesGreen(() => latest, troubles);
  } finally {
    over = true;
    await watching;
  }
}

async function becomesGreen(latest: () => Sighting, troubles: () => string): Promise<void> {
  const deadline = performance.now() + RECOVERED_WITHIN_MS;
  while (latest().sight !== 'green') {
    if (performance.now() > deadline)
      throw new Error(`not green within ${RECOVERED_WITHIN_MS / 1_000} s: ${latest().answer}\n${troubles()}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Asks all processes concurrently. */
export async function lookAt({ url, apiKey, others = [] }: WatchedService): Promise<Sighting> {
  const ask = async (path: string | URL) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await fetch(new URL(path, url), { headers: { 'x-api-key': apiKey }, signal });
    return { status: response.status, text: await response.text() };
  };
  try {
    const [shown, ...probes] = await Promise.all([
      ask('/admin/v1/status'),
      ...[url, ...others].map((place) => ask(new URL('/readyz', place))),
    ]);
    const answers = [shown, ...probes];
    const answer = answers.map(({ status, text }) => `${status} ${text}`).join('\n');
    const isReady =
      answers.every(({ status }) => status === 200) && (JSON.parse(shown.text) as { ready: boolean }).ready;
    return { sight: isReady ? 'green' : 'red', answer };
  } catch (error) {
    return { sight: 'silent', answer: String(error) };
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
