export { type Amount, ZERO, UNITS, amountFromNumber, parseAmount, formatAmount, timesReached } from './amount.ts';
