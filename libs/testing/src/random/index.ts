export { newUuid } from './new-uuid.ts';
export { randomOf } from './random-of.ts';
export { seedOf } from './seed-of.ts';
