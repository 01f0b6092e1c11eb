export type { Conservation } from './comparison.ts';
export { verifyOnlyLog } from './verify-only-log.ts';
export { verifyStored, type StoredVerification } from './verify-stored.ts';
