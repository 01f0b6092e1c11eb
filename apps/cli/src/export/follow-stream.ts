import { rename, readFile, writeFile } from 'node:fs/promises';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { OutcomeUnknownError, RefusedError, UnreachableError } from '../service/service-error.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printed } from '../terminal/print.ts';

export interface StreamOptions extends ServiceOptions {
  readonly follow?: true;
  readonly cursorFile?: string;
  readonly types?: string;
}

export type Stream = 'outcomes' | 'events';

/** Number of rows per request. */
const PAGE = 1_000;
/** How long a request waits for new rows. */
const WAIT_SECONDS = 30;
const LIMIT_MS = 65_000;
const RETRY_MS = 5_000;
/** Longer than any cursor of Laurel. */
const LONGEST_CURSOR = 200;

/**
 * Prints the rows after the cursor in the file, page by page, up to the newest row at the start; with `follow`, also
 * new rows. The file is replaced after its page is written, so a killed command repeats at most one page and skips
 * nothing.
 * @throws CommandError with exit code 2 if it is refused; without `follow` also if the service cannot be reached
 */
export async function printStream(stream: Stream, options: StreamOptions, context: CommandContext): Promise<void> {
  const { follow = false, cursorFile, types, ...of } = options;
  const service = await connectService(of, context);
  let cursor = cursorFile === undefined ? null : await cursorIn(cursorFile);
  let until: string | null = null;
  for (;;) {
    if (context.interrupted.aborted) throw new InterruptedError();
    const page = await next(service, stream, { after: cursor, until, types, follow, cursorFile, context });
    if (page.text !== '') await printed(context.stdout, plainJson(page.text));
    until ??= follow ? null : page.head;
    const isEnd = page.cursor === cursor || page.cursor === until || (page.text === '' && stream === 'outcomes');
    if (cursorFile !== undefined && page.cursor !== cursor) await keep(cursorFile, page.cursor);
    cursor = page.cursor;
    if (isEnd && !follow) return;
  }
}

interface Asked {
  readonly after: string | null;
  /** null if there is no end. */
  readonly until: string | null;
  readonly types: string | undefined;
  readonly follow: boolean;
  readonly cursorFile: string | undefined;
  readonly context: CommandContext;
}

/** With `follow`, retries while the service cannot be reached, for example during a restart. */
async function next(service: ServiceConnection, stream: Stream, asked: Asked) {
  for (;;) {
    try {
      return await pageBehind(service, stream, asked);
    } catch (error) {
      if (!asked.follow || !isAway(error)) throw expired(error, asked);
      asked.context.stderr.write(`${error.message}; asking again in ${RETRY_MS / 1_000} seconds\n`);
      await service.pause(RETRY_MS);
    }
  }
}

async function pageBehind(service: ServiceConnection, stream: Stream, { after, until, types, follow }: Asked) {
  const query = {
    limit: PAGE,
    ...(after !== null && { after }),
    ...(until !== null && { until }),
    ...(types !== undefined && { types }),
    ...(follow && { wait: WAIT_SECONDS }),
  };
  let cursor: string | null = null;
  let head: string | null = null;
  const text = await service.ask(
    async (client, settings) => {
      const answer = await client.GET(`/admin/v1/${stream}`, { params: { query }, parseAs: 'text', ...settings });
      cursor = answer.response.headers.get('laurel-cursor');
      head = answer.response.headers.get('laurel-head');
      return answer;
    },
    { limitMs: LIMIT_MS },
  );
  if (cursor === null) throw new CommandError(2, 'the service answered without a cursor: is the address right?');
  // For an empty body, the client returns no data.
  return { text: (text as string | undefined) ?? '', cursor: cursor as string, head: head as string | null };
}

const isAway = (error: unknown): error is CommandError =>
  error instanceof UnreachableError ||
  error instanceof OutcomeUnknownError ||
  (error instanceof RefusedError && error.status >= 500);

/** The service names the oldest cursor; the advice depends on where the expired cursor came from. */
function expired(error: unknown, { cursorFile }: Asked): unknown {
  if (!(error instanceof RefusedError) || error.code !== 'cursor_expired' || cursorFile === undefined) return error;
  const file = plainText(cursorFile);
  return new CommandError(
    2,
    `${error.message}\nWhat lies between is lost to this command. Write that cursor into ${file} to go on from there, or delete ${file} to begin with the oldest.`,
  );
}

/** null if the file does not exist yet. @throws CommandError if it cannot be read, or contains something else */
async function cursorIn(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandError(2, `${plainText(file)} cannot be read: ${plainText((error as Error).message)}`);
  }
  if (text.length <= LONGEST_CURSOR && /^[\w-]+$/.test(text)) return text;
  throw new CommandError(2, `${plainText(file)} does not hold a cursor of laurel export; delete it to begin anew`);
}

/** Writes the cursor. If the command is killed at any time, the file has either the old cursor or the new one. */
async function keep(file: string, cursor: string): Promise<void> {
  const draft = `${file}.next`;
  try {
    await writeFile(draft, `${cursor}\n`, { flush: true });
    await rename(draft, file);
  } catch (error) {
    throw new CommandError(2, `${plainText(file)} cannot be written: ${plainText((error as Error).message)}`);
  }
}
