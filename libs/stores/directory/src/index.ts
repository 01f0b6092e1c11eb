export { directoryMigrations } from './migrations.ts';
export { newSubject } from './new-subject.ts';
export { PostgresDirectory, type ReadDirectory } from './postgres-directory.ts';
