import { EnvironmentError, PortError, readEnvironment } from '@laurel/runtime/surroundings';
import { EmbeddedPostgresError } from '@laurel/embedded-postgres/data-dir';
import { checkSurroundings, ConfigurationFileError } from './check-surroundings.ts';
import { OwnDatabaseError } from './own-database.ts';

/** Checks the environment before it loads the service, so that a mistake is reported at once. */
async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  await checkSurroundings(environment);
  const { runStandalone } = await import('./run-standalone.ts');
  await runStandalone(environment, settingsFile());
}

/** The file that `npm start` has read variables from; null if there is none. */
const settingsFile = (): string | null =>
  process.argv.find((word) => word.startsWith(SETTINGS))?.slice(SETTINGS.length) ?? null;

const SETTINGS = '--settings=';

const REFUSALS = [EnvironmentError, PortError, ConfigurationFileError, OwnDatabaseError, EmbeddedPostgresError];

main().catch((error: unknown) => {
  console.error(REFUSALS.some((type) => error instanceof type) ? (error as Error).message : error);
  process.exit(1);
});
