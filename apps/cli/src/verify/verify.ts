import type { VerificationAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { continues, type EarlierHead } from '../log/earlier-head.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { counted } from '../terminal/counted.ts';
import { print } from '../terminal/print.ts';
import { showProgress } from '../terminal/progress.ts';

export interface VerifyOptions extends AnswerOptions {
  /** Whether every user is folded. */
  readonly full?: true;
  /** Whether only the log is verified, against its hash. */
  readonly log?: true;
  /** The head that the log must continue. */
  readonly against?: EarlierHead;
}

const LOOK_EVERY_MS = 500;
const MOST_CHARACTERS = 2_000;

type OnProgress = (verification: VerificationAnswer) => void;

/**
 * Makes a running service verify the stored data, waits for the end and prints the findings; sets exit code 1 if there
 * are any. If an earlier head is given, first checks that the log continues it, and prints a line; otherwise sets exit
 * code 1.
 * @throws CommandError with exit code 2 if it is refused or fails; InterruptedError: it continues in the service.
 */
export async function verify(options: VerifyOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const { against } = options;
  const isContinued = against && (await continuesHead(service, against));
  if (isContinued === false) context.setExitCode(1);
  if (against !== undefined && !options.json)
    await print(
      context.stdout,
      `the log ${isContinued ? 'begins' : 'does not begin'} with the ${against.size} records that the head covers\n`,
    );
  const progress = showProgress(context.stderr, context.clock);
  let done: VerificationAnswer;
  try {
    done = await verified(service, options, (seen) => progress.update(shareOf(seen), seenText(seen)));
  } finally {
    progress.stop();
  }
  if (done.findings.length > 0) context.setExitCode(1);
  await print(
    context.stdout,
    options.json ? jsonLine({ ...done, ...(against && { continues: isContinued }) }) : report(done, options),
  );
}

/** Whether the service can prove that the log begins with the records of the earlier head. */
async function continuesHead(service: ServiceConnection, earlier: EarlierHead): Promise<boolean> {
  const { size } = await service.ask((client, settings) => client.GET('/admin/v1/log/head', settings));
  if (size < earlier.size) return false;
  const now = await service.ask((client, settings) =>
    client.GET('/admin/v1/log/head', { params: { query: { since: earlier.size } }, ...settings }),
  );
  return continues(earlier, now, now.consistency ?? []);
}

/** For a full verification, the log counts as half of the work. */
function shareOf({ full, verified: upTo, head, folded, users }: VerificationAnswer): number {
  const [ofLog, ofUsers] = [head === 0 ? 0 : Math.min(1, upTo / head), users === 0 ? 0 : Math.min(1, folded / users)];
  return full ? (ofLog + ofUsers) / 2 : ofLog;
}

const seenText = ({ verified: upTo, head, folded, users, check }: VerificationAnswer): string =>
  `${upTo} of ${head} records, ${users === 0 ? '' : `${folded} of ${counted(users, 'user')}, `}${check ?? 'done'}`;

async function verified(
  service: ServiceConnection,
  { full, log }: VerifyOptions,
  onProgress: OnProgress,
): Promise<VerificationAnswer> {
  const query = { ...(full && { full: 'true' as const }), ...(log && { only: 'log' as const }) };
  let verification = await service.ask((client, settings) =>
    client.POST('/admin/v1/verifications', { params: { query }, ...settings }),
  );
  try {
    while (verification.state === 'running') {
      onProgress(verification);
      await service.pause(LOOK_EVERY_MS);
      verification = await look(service, verification.id);
    }
  } catch (error) {
    throw leftGoing(error);
  }
  if (verification.state === 'failed')
    throw new CommandError(2, `the verification failed: ${plainText(verification.error ?? '', MOST_CHARACTERS)}`);
  return verification;
}

const look = (service: ServiceConnection, id: string): Promise<VerificationAnswer> =>
  service.ask((client, settings) =>
    client.GET('/admin/v1/verifications/{id}', { params: { path: { id } }, ...settings }),
  );

function leftGoing(error: unknown): unknown {
  if (error instanceof InterruptedError) return new InterruptedError('the verification goes on in the service');
  if (error instanceof RefusedError && error.code === 'unknown_verification')
    return new CommandError(2, 'the service was started anew during the verification, which ended it');
  return error;
}

function report({ findings, more, verified: upTo, full, folded }: VerificationAnswer, { log }: VerifyOptions): string {
  const others = full
    ? ` and every row of ${counted(folded, 'user')}`
    : ', users, achievements, points and leaderboards';
  const what = `the log up to position ${upTo}${log ? '' : others}`;
  if (findings.length === 0 && !more) return `verified ${what}: everything fits\n`;
  const lines = findings.map(({ message }) => plainText(message, MOST_CHARACTERS));
  return [...lines, ...(more ? ['There is more that does not fit.'] : []), ''].join('\n');
}
