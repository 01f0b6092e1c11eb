export { faultsIn, inWords, outOfOrder, type Arrival, type Expected } from './judge.ts';
export { Receiver } from './receiver.ts';
export { recount, type Asked, type ShownLog } from './recount.ts';
export { randomOf } from './random-of.ts';
