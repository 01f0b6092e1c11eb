/** The partition is stopped at a message, and the reason is stored. The states in memory equal the stored ones. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(cause: Error) {
    super('the partition has stopped', { cause });
  }
}

/** Writing to the stream failed. The cause is not in the messages. */
export class SendError extends Error {
  override readonly name = 'SendError';
  constructor(cause: unknown) {
    super('the next service could not be sent what was made of the messages', { cause });
  }
}

/**
 * Store or stream refuses the results of some messages, and would refuse them again: one of the messages is the cause.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  override readonly cause: Error;
  /** Offset of the first of the messages. */
  readonly offset: number;
  readonly messages: number;

  constructor(cause: Error, offset: number, messages: number) {
    super('what was made of the messages is refused', { cause });
    this.cause = cause;
    this.offset = offset;
    this.messages = messages;
  }
}

/** The next messages are missing in the stream: a topic was deleted, truncated, or filled by something else. */
export class MissingMessagesError extends Error {
  override readonly name = 'MissingMessagesError';
  constructor(partition: number, offset: number, end: number) {
    super(`messages before offset ${offset} of partition ${partition} are missing (the partition ends at ${end})`);
  }
}
