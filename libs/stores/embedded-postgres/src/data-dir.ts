/** Chooses a data folder without loading a database driver. */
export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { pickDataDir } from './pick-data-dir.ts';
