import { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { batchesOf, type BadLine } from './batches.ts';
import { openEventFile } from './event-lines.ts';
import { ImportClient } from './import-client.ts';
import { importEvents } from './import-events.ts';
import { showProgress, type ImportCounts } from './progress.ts';
import { createClock } from '@laurel/runtime';

interface ImportOptions {
  readonly url: string;
  readonly apiKey?: string;
}

const RETRY_DELAY_MS = 1_000;

/** Bad lines that are shown one by one. */
const SHOWN = 20;

export const importCommand = (): Command =>
  new Command('import')
    .description('Sends recorded events, one JSON object a line, to a running service (specification, section 9).')
    .argument('<file>', 'an .ndjson file, or .ndjson.gz')
    .option('--url <url>', 'address of the service', `http://127.0.0.1:${process.env['LAUREL_PORT'] || '3000'}`)
    .option('--api-key <key>', 'a key with the scope admin; default: LAUREL_API_KEY')
    .addHelpText(
      'after',
      '\nExit codes: 0 every line went in (or had before), 1 some lines were refused, 2 the import could not be carried out.',
    )
    .addHelpText('after', '\nExample:\n  npm run laurel -- import history.ndjson.gz --api-key "$LAUREL_API_KEY"')
    .action(runImport);

async function runImport(path: string, options: ImportOptions): Promise<void> {
  const apiKey = options.apiKey ?? process.env['LAUREL_API_KEY'];
  if (!apiKey) throw new CommandError(2, 'no API key: give --api-key or set LAUREL_API_KEY');
  if (!URL.canParse(options.url)) throw new CommandError(2, `--url is not an address: ${plainText(options.url)}`);
  const clock = createClock({ type: 'system' });
  const wait = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));
  const client = new ImportClient({ url: options.url, apiKey }, wait);
  const file = await openEventFile(path);
  const counts: ImportCounts = { sent: 0, recorded: 0, replayed: 0, refused: 0 };
  const onBadLine = reporter(counts);
  const progress = showProgress(process.stderr, () => clock.elapsedMs());
  try {
    await importEvents(
      {
        batches: batchesOf(file.lines, onBadLine),
        send: (body) => client.send(body),
        onBadLine,
        onProgress: () => progress.update(counts, file.share()),
        pause: () => wait(RETRY_DELAY_MS),
      },
      counts,
    );
    await client.finish();
  } catch (error) {
    throw error instanceof CommandError
      ? new CommandError(error.exitCode, `${error.message}; ${counts.sent} lines had been sent. ${SAFE_TO_REPEAT}`)
      : error;
  } finally {
    progress.stop();
  }
  summarise(counts);
}

const SAFE_TO_REPEAT = 'Run the same import again: lines with an idempotencyKey are never counted twice.';

function reporter(counts: ImportCounts): (line: BadLine) => void {
  return ({ number, error }) => {
    counts.refused++;
    if (counts.refused <= SHOWN) console.error(`line ${number}: ${plainText(error)}`);
    else if (counts.refused === SHOWN + 1) console.error('more lines were refused; they are counted below');
  };
}

function summarise({ recorded, replayed, refused }: ImportCounts): void {
  console.log(`${recorded} recorded, ${replayed} already known, ${refused} refused`);
  if (refused > 0) process.exitCode = 1;
}
