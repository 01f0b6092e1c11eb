import { Option } from 'commander';

const WHY = 'why, in up to 1,000 characters, not only blanks; the log records it with who did it';

/** Why something is done by hand: the service records it, and refuses one that is too long. */
export const reasonOption = (): Option => new Option('--reason <text>', `${WHY} (default: none)`);

export const requiredReasonOption = (more = ''): Option =>
  new Option('--reason <text>', `${WHY}${more} (required)`).makeOptionMandatory();
