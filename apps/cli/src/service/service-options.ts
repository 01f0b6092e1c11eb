import { Command, Option } from 'commander';

/** The options that say where the service is. */
export interface ServiceOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

/** The options of a command that prints an answer of the service. */
export interface AnswerOptions extends ServiceOptions {
  readonly json?: true;
}

/** Makes a command that sends requests to a service. */
export const serviceCommand = (name: string, description: string): Command =>
  withServiceOptions(new Command(name).description(description));

/** Adds the options by which a command finds the service; their help names the defaults. */
export const withServiceOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the service (default: its socket in LAUREL_DATA_DIR, which needs no key)')
    .option(
      '--api-key <key>',
      'a key with the scope admin, for --url (default: LAUREL_API_KEY, which other users of the machine cannot see)',
    );

const WHY = 'why, in up to 1,000 characters, not only blanks; the log records it with who did it';

/** The reason for a change by hand. The service records it, and refuses one that is too long. */
export const reasonOption = (): Option => new Option('--reason <text>', `${WHY} (default: none)`);

export const requiredReasonOption = (more = ''): Option =>
  new Option('--reason <text>', `${WHY}${more} (required)`).makeOptionMandatory();
