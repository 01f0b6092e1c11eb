import { BASE_PATH } from './base-path.ts';
import { onSignedOut, type Schemas } from './client.ts';

export type LiveEvent = Schemas['LiveEvent'];

export interface LiveWatcher {
  readonly userId: string;
  readonly metric: string;
  readonly onEvents: (events: readonly LiveEvent[], skipped: number) => void;
  /** Called when events may be missing between the shown ones and the next ones. */
  readonly onGap: () => void;
  /**
   * `refused`: retrying does not help, for the given reason. `connecting` has a reason if there was no room at the last
   * attempt.
   */
  readonly onState: (state: 'live' | 'connecting' | 'refused', reason: string | null) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The service sends something every 15 seconds, so a longer silence means that the connection is lost. */
const LONGEST_SILENCE_MS = 40_000;

/**
 * Watches the live feed. When the connection ends, reconnects and continues after the last message seen. Uses `fetch`,
 * because an `EventSource` does not report why it was refused.
 * @returns a function that stops watching
 */
export function watchLive(watcher: LiveWatcher): () => void {
  const leaving = new AbortController();
  void watchUntil(leaving.signal, watcher);
  return () => leaving.abort();
}

async function watchUntil(signal: AbortSignal, watcher: LiveWatcher): Promise<void> {
  const { userId, metric, onState } = watcher;
  const query = new URLSearchParams({ ...(userId !== '' && { userId }), ...(metric !== '' && { metric }) });
  let last: string | null = null;
  let wait = FIRST_WAIT_MS;
  let why: string | null = null;
  while (!signal.aborted) {
    onState('connecting', why);
    try {
      const headers: Record<string, string> = last === null ? {} : { 'last-event-id': last };
      const response = await fetch(`${BASE_PATH}/admin/v1/live?${query.toString()}`, { headers, signal });
      if (response.status === 401) return onSignedOut.current();
      if (response.status === 429) wait = 1_000 * (Number(response.headers.get('retry-after')) || 1);
      else if (response.status >= 400 && response.status < 500) return onState('refused', await reasonOf(response));
      why = response.status === 503 ? await reasonOf(response) : null;
      if (response.ok && response.body !== null) {
        onState('live', null);
        wait = FIRST_WAIT_MS;
        for await (const message of messagesOf(response.body)) {
          last = message.id ?? last;
          tell(message, watcher);
        }
      }
    } catch {
      // The next connection continues after the last message seen.
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }
}

interface Message {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

function tell({ event, data }: Message, { onEvents, onGap }: LiveWatcher): void {
  if (event === 'resync') return onGap();
  if (event !== 'events') return;
  const { events, skipped } = JSON.parse(data) as Schemas['LiveEvents'];
  onEvents(events, skipped);
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const silence = setTimeout(() => void reader.cancel().catch(() => undefined), LONGEST_SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield messageOf(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function messageOf(block: string): Message {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  return { event: fields.get('event') ?? '', id: fields.get('id') ?? null, data: fields.get('data') ?? '' };
}

async function reasonOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as { readonly detail?: string };
  return problem.detail ?? 'The live feed was refused.';
}
