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

/** How many one request asks for. */
const PAGE = 1_000;
/** How long a request waits for what comes next. */
const WAIT_SECONDS = 30;
const LIMIT_MS = 65_000;
const RETRY_MS = 5_000;
/** No cursor of ours is as long. */
const LONGEST_CURSOR = 200;

/**
 * Prints what there is behind the cursor in the file, page by page, up to what there is when it begins, or with `follow` goes on with what comes. The file is replaced
 * once the page that it stands behind is written, so that a command that was killed repeats at most one page, and leaves out nothing.
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
  /** null: no end. */
  readonly until: string | null;
  readonly types: string | undefined;
  readonly follow: boolean;
  readonly cursorFile: string | undefined;
  readonly context: CommandContext;
}

/** With `follow` it is asked for again while the service cannot be reached, as when it restarts. */
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
  // The client gives nothing for an empty body.
  return { text: (text as string | undefined) ?? '', cursor: cursor as string, head: head as string | null };
}

const isAway = (error: unknown): error is CommandError =>
  error instanceof UnreachableError ||
  error instanceof OutcomeUnknownError ||
  (error instanceof RefusedError && error.status >= 500);

/** What the service said names the oldest cursor; what to do depends on whose cursor it was. */
function expired(error: unknown, { cursorFile }: Asked): unknown {
  if (!(error instanceof RefusedError) || error.code !== 'cursor_expired' || cursorFile === undefined) return error;
  const file = plainText(cursorFile);
  return new CommandError(
    2,
    `${error.message}\nWhat lies between is lost to this command. Write that cursor into ${file} to go on from there, or delete ${file} to begin with the oldest.`,
  );
}

/** null: there is no such file yet. @throws CommandError if it cannot be read, or holds something else */
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

/** The file holds either the cursor of before or this one, whenever the command is killed. */
async function keep(file: string, cursor: string): Promise<void> {
  const draft = `${file}.next`;
  try {
    await writeFile(draft, `${cursor}\n`, { flush: true });
    await rename(draft, file);
  } catch (error) {
    throw new CommandError(2, `${plainText(file)} cannot be written: ${plainText((error as Error).message)}`);
  }
}
