import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { UnreachableError } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { print } from '../terminal/print.ts';
import { showProgress } from '../terminal/progress.ts';
import { openEventFile } from './event-lines.ts';
import { notShownYet } from './finish-import.ts';
import { ImportClient } from './import-client.ts';
import { type BadLine, importEvents, type ImportCounts } from './import-events.ts';
import { paceText } from './pace.ts';

const RETRY_DELAY_MS = 1_000;

/** Most bad lines shown one by one. */
const SHOWN = 20;

export interface ImportOptions extends ServiceOptions {
  readonly unboundedAwards?: true;
  readonly outgoing?: true;
  readonly reason?: string;
}

export async function runImport(path: string, options: ImportOptions, context: CommandContext): Promise<void> {
  const file = await openEventFile(path);
  const service = await connectService(options, context);
  const client = new ImportClient(service);
  const counts: ImportCounts = { sent: 0, recorded: 0, replayed: 0, late: 0, refused: 0 };
  const damage: Damage = { lines: 0, first: '' };
  const onBadLine = reporter(counts, damage, context);
  const progress = showProgress(context.stderr, context.clock);
  const pace = paceText(context.clock);
  try {
    const { unboundedAwards, outgoing, reason } = options;
    if (unboundedAwards || outgoing || reason !== undefined) await client.open({ unboundedAwards, outgoing, reason });
    await importEvents(
      {
        lines: file.lines,
        exchange: (body) => client.exchange(body),
        onBadLine,
        onProgress: () => progress.update(file.share(), pace(counts, file.share())),
        pause: () => service.pause(RETRY_DELAY_MS),
      },
      counts,
    );
    const pending = await client.finish(reason);
    if (pending.length > 0) context.stderr.write(notShownYet(pending));
  } catch (error) {
    throw error instanceof CommandError ? await brokenOff(error, counts, client) : error;
  } finally {
    progress.stop();
  }
  if (damage.lines > 0) context.stderr.write(toRepair(damage));
  await summarise(counts, context);
}

async function brokenOff(error: CommandError, { sent }: ImportCounts, client: ImportClient): Promise<CommandError> {
  const { exitCode, message } = error;
  const reason = message === '' ? 'the import was stopped' : message;
  const neverReached = sent === 0 && error instanceof UnreachableError;
  return new CommandError(
    exitCode,
    `${reason}\n${sent} lines had been sent. Run the same import again: lines with an idempotencyKey are never counted twice.${neverReached ? '' : leftOpen(await client.isOpen())}`,
  );
}

/** @param isOpen null if the service does not say */
function leftOpen(isOpen: boolean | null): string {
  if (isOpen === false) return '';
  const verb = isOpen ? 'is' : 'may be';
  return `\nThe import ${verb} still open. Until it is finished, the service refuses grants, corrections and erasures, and settles nothing that falls due. The end of the same import finishes it, and so does POST /admin/v1/imports/finish; it closes by itself after ten minutes without an imported event.`;
}

/** Abandoned lines, and the service's message about the first one, which names the repair command. */
interface Damage {
  lines: number;
  first: string;
}

const toRepair = ({ lines, first }: Damage): string =>
  `${lines} ${lines === 1 ? 'line was' : 'lines were'} given up because a stored state is damaged. ${plainText(first)}\n` +
  'Then run the same import again: lines with an idempotencyKey are never counted twice.\n';

function reporter(counts: ImportCounts, damage: Damage, { stderr }: CommandContext): (line: BadLine) => void {
  return ({ number, error, damaged }) => {
    counts.refused++;
    if (damaged && damage.lines++ === 0) damage.first = error;
    if (counts.refused <= SHOWN) stderr.write(`line ${number}: ${plainText(error)}\n`);
    else if (counts.refused === SHOWN + 1) stderr.write('more lines were refused; they are counted below\n');
  };
}

/** Explains why late events matter for streaks. */
const WHY_LATE =
  ': before the latest event that their user already had, so they extend and revive no streak. ' +
  'In a file, put the events of each user oldest first.\n';

async function summarise({ recorded, replayed, late, refused }: ImportCounts, context: CommandContext): Promise<void> {
  if (late > 0) await print(context.stdout, `${late} ${late === 1 ? 'was' : 'were'} late${WHY_LATE}`);
  await print(context.stdout, `${recorded} recorded, ${replayed} already known, ${refused} refused\n`);
  if (refused > 0) context.setExitCode(1);
}
