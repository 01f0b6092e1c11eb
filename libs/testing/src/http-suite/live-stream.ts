/** A message of the live feed, as a browser receives it. */
interface Message {
  readonly id: string | null;
  readonly event: string;
  readonly data: { readonly events: readonly Seen[]; readonly skipped: number };
}
/** An event in a message. */
export interface Seen {
  readonly id: string;
  readonly userId: string | null;
  readonly metric?: string;
  readonly effects: { readonly users: readonly unknown[]; readonly points: readonly unknown[] };
}

/** The live feed (specification, section 9.19), message by message. */
export class LiveStream {
  readonly #aborting = new AbortController();
  readonly #messages: AsyncGenerator<Message, void>;

  constructor(url: string, headers: Record<string, string>) {
    this.#messages = messagesOf(fetch(url, { headers, signal: this.#aborting.signal }));
  }

  /** Reads until the events with all these ids have arrived. */
  async until(ids: readonly string[]): Promise<{ events: Seen[]; last: string }> {
    const events: Seen[] = [];
    for (;;) {
      const { value, done } = await this.#messages.next();
      if (done) throw new Error('the stream has ended');
      events.push(...value.data.events);
      const seen = new Set(events.map(({ id }) => id));
      if (ids.every((id) => seen.has(id))) return { events, last: value.id ?? '' };
    }
  }

  async ended(): Promise<boolean> {
    for (;;) if ((await this.#messages.next()).done) return true;
  }

  close(): void {
    this.#aborting.abort();
  }
}

async function* messagesOf(asked: Promise<Response>): AsyncGenerator<Message, void> {
  const { body } = await asked;
  let text = '';
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(fieldOf));
      text = text.slice(end + 2);
      const event = fields.get('event');
      if (event !== undefined)
        yield { event, id: fields.get('id') ?? null, data: JSON.parse(fields.get('data') ?? '{}') };
    }
  }
}

const fieldOf = (line: string): [string, string] => {
  const [name = '', ...value] = line.split(': ');
  return [name, value.join(': ')];
};
