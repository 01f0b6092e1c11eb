export { type Amount, ZERO, UNITS, amountFromNumber, roundedAmount, parseAmount, formatAmount } from './amount.ts';
export {
  add,
  exactOf,
  formatMillionths,
  millionthsOf,
  multiplesReached,
  multiply,
  negate,
  parseMillionths,
  smaller,
  subtract,
  type Exact,
} from './exact.ts';
