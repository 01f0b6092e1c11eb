import { runProgram } from '../frame/checkouts.mjs';
import { inTurns } from '../frame/laurels.mjs';

const PROGRAMS = { laurel: 'rules-now.mjs', before: 'rules-before.mjs' };

/** CPU time of the rules alone, without log, database and HTTP; what they decide must be the same. */
export function rules(options) {
  return inTurns(options, (name, { file, config }) => {
    const { microseconds, seen } = runProgram(name, PROGRAMS[name], file, config);
    return { value: microseconds, seen };
  });
}
