import { once } from 'node:events';
import { pickDataDir } from '@laurel/embedded-postgres';
import { createClock, dataFolders, readEnvironment } from '@laurel/runtime';
import { Command } from 'commander';
import { exportState } from './export-state.ts';
import { openReadModels } from './open-read-models.ts';

const ACCOUNT = 'default';

export const stateCommand = (): Command =>
  new Command('state')
    .description('Prints the whole read models as JSON, as of now: users, and the rankings of every run.')
    .addHelpText(
      'after',
      '\nReads the data of LAUREL_DATA_DIR or LAUREL_DATABASE_URL, whether or not the service runs.',
    )
    .addHelpText('after', '\nExample:\n  LAUREL_CONFIG=laurel.yaml npm run --silent laurel -- state > state.json')
    .action(printState);

async function printState(): Promise<void> {
  const environment = readEnvironment(process.env);
  const clock = createClock(environment.clock);
  const models = await openReadModels(environment.databaseUrl, await pickDataDir(...dataFolders(environment)), ACCOUNT);
  try {
    for await (const text of exportState(models, ACCOUNT, clock.now()))
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  } finally {
    await models.close();
  }
}
