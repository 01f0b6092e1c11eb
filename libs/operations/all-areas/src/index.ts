export { USER_AREAS } from './user-areas.ts';
export { MIGRATIONS, READ_MODEL_MIGRATIONS } from './all-migrations.ts';
export { DIGESTED_AREAS } from './digested-areas.ts';
export { assertReadable } from './assert-readable.ts';
export { openReads, openUserAreaReads, type AreaReads } from './open-reads.ts';
export { storedDigest, storedNames } from './stored-digest.ts';
export { STORED_TABLES } from './stored-tables.ts';
