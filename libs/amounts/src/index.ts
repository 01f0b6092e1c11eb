export {
  type Amount,
  ZERO,
  UNITS,
  amountFromNumber,
  roundedAmount,
  parseAmount,
  formatAmount,
  timesReached,
} from './amount.ts';
