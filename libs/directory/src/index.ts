export { directoryMigrations } from './migrations.ts';
export { newSubject } from './new-subject.ts';
export { DEFAULT_DIRECTORY_OPTIONS, PostgresDirectory, type DirectoryOptions } from './postgres-directory.ts';
