import type { Instant } from '@laurel/calendar';
import { isImported, type UserCommand, type CommandResult } from '@laurel/kernel';
import { interrupts, type Clock, type SubmitOptions } from '@laurel/ports';
import { internalCommandBytes } from './command-bytes.ts';
import type { EngineTask, InternalCommand } from './internal-command.ts';
import { refused } from './refused.ts';
import type { SingleWriterQueue } from './single-writer-queue.ts';

/** Gives each command an id and an instant, queues it, and answers once it is committed. */
export class CommandIntake {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #queue: Pick<SingleWriterQueue<EngineTask>, 'submit'>;
  readonly #newEventId: (at: Instant) => string;
  readonly #onImported: (account: string, at: Instant) => void;
  #sequence = 0;

  /** @param onImported called for each imported command */
  constructor(
    clock: Pick<Clock, 'now'>,
    queue: Pick<SingleWriterQueue<EngineTask>, 'submit'>,
    newEventId: (at: Instant) => string,
    onImported: (account: string, at: Instant) => void,
  ) {
    this.#clock = clock;
    this.#queue = queue;
    this.#newEventId = newEventId;
    this.#onImported = onImported;
  }

  /** See `Intake.submit`. */
  async submit(commands: readonly UserCommand[], options: SubmitOptions = {}): Promise<readonly CommandResult[]> {
    if (options.stream?.interrupted) return commands.map(() => refused('unavailable', null));
    const now = this.#clock.now();
    for (const command of commands) if (isImported(command)) this.#onImported(command.account, now);
    return this.#queued(commands, options.receiptOnly ?? false, options.stream);
  }

  /** Takes a command of the process itself. Its result has no answer parts. */
  async submitInternal(command: InternalCommand): Promise<CommandResult> {
    const [outcome] = await this.#queued([command], true);
    return outcome as CommandResult;
  }

  #queued(
    commands: readonly InternalCommand[],
    receiptOnly: boolean,
    stream?: SubmitOptions['stream'],
  ): Promise<readonly CommandResult[]> {
    const receivedAt = this.#clock.now();
    const submission = Symbol('submission');
    const { outcomes, settle: settleAt } = gathered(commands.length, stream);
    const tasks = commands.map((command, place): EngineTask => {
      const settle = (outcome: CommandResult): void => settleAt(place, outcome);
      const eventId = this.#newEventId(receivedAt);
      const bytes = internalCommandBytes(command);
      return { command, receivedAt, receiptOnly, submission, sequence: ++this.#sequence, settle, bytes, eventId };
    });
    const reason = this.#queue.submit(tasks);
    if (reason === null) return outcomes;
    if (stream) stream.interrupted = true;
    return Promise.resolve(commands.map(() => refused(reason, null)));
  }
}

/**
 * One promise for the results of all commands of a submission. A refusal interrupts the stream at once, before the
 * caller gets the result.
 */
function gathered(count: number, stream: SubmitOptions['stream']) {
  const outcomes = new Array<CommandResult>(count);
  let open = count;
  let resolve: (outcomes: readonly CommandResult[]) => void = () => undefined;
  const settle = (place: number, outcome: CommandResult): void => {
    if (stream !== undefined && interrupts(outcome)) stream.interrupted = true;
    outcomes[place] = outcome;
    if (--open === 0) resolve(outcomes);
  };
  const all = new Promise<readonly CommandResult[]>((take) => (resolve = take));
  return { outcomes: count === 0 ? Promise.resolve(outcomes) : all, settle };
}
