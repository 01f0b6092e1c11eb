import { Option } from 'commander';

/** Why something is done by hand: the service records it, and refuses one that is too long. */
export const reasonOption = (): Option =>
  new Option('--reason <text>', 'why, in up to 1,000 characters; the log records it with who did it (default: none)');
