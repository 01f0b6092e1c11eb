export { openTestDatabase } from './database.ts';
export type { TestDatabase } from './database.ts';
export * from './doors/index.ts';
