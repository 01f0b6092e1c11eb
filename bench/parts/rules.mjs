import { runOwnProgram } from '../frame/checkouts.mjs';
import { inTurns } from '../frame/laurels.mjs';

/** Each commit has its own, as what the program calls moves and changes; the second is its name before. */
const PROGRAMS = ['rules.mjs', 'rules-now.mjs'];

/** CPU time of the rules alone, without log, database and HTTP; what they decide must be the same. */
export function rules(options) {
  return inTurns(options, (name, { file, config }) => {
    const { microseconds, seen } = runOwnProgram(name, PROGRAMS, file, config);
    return { value: microseconds, cpu: microseconds, seen };
  });
}
