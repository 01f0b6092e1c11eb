/** Whether a folder can hold the database; loads no database driver. */
export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { pickDataDir } from './pick-data-dir.ts';
