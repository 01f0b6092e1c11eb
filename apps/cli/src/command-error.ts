/** A command ends with this message and this exit code (`EXIT_CODES` in help-text.ts). */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ctrl-C. The message says what the command leaves behind; empty if it leaves nothing. */
export class InterruptedError extends CommandError {
  constructor(message = '') {
    super(130, message);
  }
}
