import type { Clock } from '@laurel/ports';

/** The source of access tokens, by the client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). */
export interface OAuthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
  readonly audience: string | null;
}

/** A token could not be obtained, or the brokers refused it. `code` may be shown to everybody, the message to operators. */
export class OAuthTokenError extends Error {
  override readonly name = 'OAuthTokenError';
  /** Tells kafkajs whether another attempt may help. */
  readonly retriable: boolean;

  constructor(
    readonly code: 'TOKEN_UNAVAILABLE' | 'TOKEN_REQUEST_REFUSED' | 'TOKEN_REFUSED',
    message: string,
  ) {
    super(message);
    this.retriable = code === 'TOKEN_UNAVAILABLE';
  }
}

interface Token {
  readonly value: string;
  /** Used for new connections until this instant. */
  readonly fresh: number;
  /** Used until this instant if no new token can be obtained. */
  readonly usable: number;
}

/** Short enough that all attempts of a start fit into the limit for creating topics. */
const ANSWERED_WITHIN_MS = 4_000;
const LONGEST_ANSWER = 64 * 1024;
/** kafkajs authenticates a connection again this long before its token expires. */
export const REAUTHENTICATED_MS = 5_000;
/** With a shorter life, a connection would be authenticated again and again, which brokers refuse within a second. */
const TOO_SHORT_MS = 2 * REAUTHENTICATED_MS;
const RENEWED_MS = 60_000;

/** One token for all connections, renewed before it expires. While the endpoint fails, the current token is used until it expires. */
export class OAuthTokens {
  readonly #settings: OAuthSettings;
  readonly #clock: Clock;
  #token: Token | null = null;
  #request: Promise<Token> | null = null;

  /** @param clock the system clock */
  constructor(settings: OAuthSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** @throws OAuthTokenError */
  async current(): Promise<string> {
    const held = this.#token;
    if (held && this.#clock.elapsedMs() < held.fresh) return held.value;
    try {
      return (await this.#renewed()).value;
    } catch (error) {
      if (held && this.#clock.elapsedMs() < held.usable) return held.value;
      throw error;
    }
  }

  #renewed(): Promise<Token> {
    this.#request ??= this.#ask().finally(() => {
      this.#request = null;
    });
    return this.#request;
  }

  async #ask(): Promise<Token> {
    const askedAt = this.#clock.elapsedMs();
    const { status, text } = await this.#post();
    const answer = fieldsOf(text);
    if (status !== 200) throw refusal(this.#settings.tokenUrl, status, answer);
    const { access_token: value, expires_in: seconds } = answer;
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value))
      throw unavailable(this.#settings.tokenUrl, 'the answer has no access_token');
    const life = Number(seconds ?? 0) * 1_000 || 0;
    const token = {
      value,
      fresh: askedAt + life - Math.max(TOO_SHORT_MS, Math.min(RENEWED_MS, life / 2)),
      usable: askedAt + life - TOO_SHORT_MS,
    };
    this.#token = token;
    return token;
  }

  async #post(): Promise<{ readonly status: number; readonly text: string }> {
    const { tokenUrl, clientId, clientSecret, scope, audience } = this.#settings;
    const credentials = [clientId, clientSecret].map(formEncoded).join(':');
    const stop = new AbortController();
    const cancel = this.#clock.after(ANSWERED_WITHIN_MS, () => stop.abort());
    try {
      const response = await fetch(tokenUrl, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          ...(scope !== null && { scope }),
          ...(audience !== null && { audience }),
        }),
        redirect: 'manual',
        signal: stop.signal,
      });
      return { status: response.status, text: await boundedText(response, stop) };
    } catch (error) {
      if (error instanceof RangeError) throw unavailable(tokenUrl, error.message);
      throw unavailable(tokenUrl, stop.signal.aborted ? `no answer within ${ANSWERED_WITHIN_MS} ms` : causeOf(error));
    } finally {
      cancel();
    }
  }
}

async function boundedText({ body }: Response, stop: AbortController): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) {
      stop.abort();
      throw new RangeError(`the answer is longer than ${LONGEST_ANSWER} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const unavailable = (url: string, why: string): OAuthTokenError =>
  new OAuthTokenError('TOKEN_UNAVAILABLE', `no token from ${url}: ${why}`);

/** After 429 and 5xx the server may recover. The message repeats only the error fields of RFC 6749, section 5.2. */
function refusal(
  url: string,
  status: number,
  { error, error_description: description }: Record<string, unknown>,
): Error {
  const said = [error, description].filter((text) => typeof text === 'string').map((text) => printable(text as string));
  const why = [`status ${status}`, ...said].join(', ');
  if (status === 429 || status >= 500) return unavailable(url, why);
  return new OAuthTokenError('TOKEN_REQUEST_REFUSED', `no token from ${url}: ${why}`);
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 200);

/** The reason is in the cause: fetch itself says only that it failed. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}
