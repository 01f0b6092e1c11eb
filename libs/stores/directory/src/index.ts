export { directoryMigrations } from './migrations.ts';
export { newSubject } from './new-subject.ts';
export {
  DEFAULT_DIRECTORY_OPTIONS,
  PostgresDirectory,
  type DirectoryOptions,
  type ReadDirectory,
} from './postgres-directory.ts';
