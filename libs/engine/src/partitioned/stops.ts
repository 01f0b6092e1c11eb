/** The partition stands at a message, for a reason that is stored; what is in memory is what is stored. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(cause: Error) {
    super('the partition has stopped', { cause });
  }
}

/** The stream could not be written to, whatever the messages are. */
export class SendError extends Error {
  override readonly name = 'SendError';
  constructor(cause: unknown) {
    super('the next service could not be sent what was made of the messages', { cause });
  }
}

/** Store or stream refuses what was made of some messages, and would again: one of them is the cause. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  override readonly cause: Error;
  /** Of the first of them. */
  readonly offset: number;
  readonly messages: number;

  constructor(cause: Error, offset: number, messages: number) {
    super('what was made of the messages is refused', { cause });
    this.cause = cause;
    this.offset = offset;
    this.messages = messages;
  }
}

/** The stream does not hold what comes next: a topic was deleted, truncated, or filled by something else. */
export class MissingMessagesError extends Error {
  override readonly name = 'MissingMessagesError';
  constructor(partition: number, offset: number, end: number) {
    super(`messages before offset ${offset} of partition ${partition} are missing (the partition ends at ${end})`);
  }
}
