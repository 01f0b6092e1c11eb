import {
  AdministrationModule,
  LiveConfigurations,
  chooseConfiguration,
  makeFirstKey,
  openFollowedKeys,
  publishIfChanged,
} from '@laurel/administration';
import { openIngestionGateway, runIngestionGateway, type ProcessFrame } from '@laurel/distributed';
import { IngestionModule } from '@laurel/ingestion';
import { DocumentsModule } from '@laurel/openapi';
import { composeCompletionAnswer, composeEventAnswer, userAnswer } from '@laurel/queries';
import { createHttpApplication, httpLimits } from '@laurel/runtime';
import { forwardReads } from './forward-reads.ts';

/** The account of a process that has no door for more. */
const ACCOUNT = 'default';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger, health, metrics, shutdown } = frame;
  const chosen = await chooseConfiguration(environment.config);
  const gateway = await openIngestionGateway(frame, ACCOUNT);
  const { intake, publisher, operations, users, achievements, configuration } = gateway;
  await publishIfChanged(publisher, ACCOUNT, chosen);
  const keys = await openFollowedKeys(gateway.keys, ACCOUNT, environment.apiKey, clock, (err) =>
    logger.warn({ err }, 'API keys could not be read'),
  );
  shutdown.register('key refresh', keys.stop);
  const modules = [
    IngestionModule.register({
      intake,
      clock,
      configuration,
      users,
      achievements,
      composeEventAnswer,
      composeUserAnswer: userAnswer,
      composeCompletionAnswer,
    }),
    AdministrationModule.register({
      operations,
      configurations: new LiveConfigurations(publisher),
      keys: keys.ring,
      clock,
    }),
    DocumentsModule.register(),
  ];
  const { queryUrl } = environment;
  const install = queryUrl === null ? {} : { install: forwardReads(queryUrl) };
  const server = { health, metrics, logger, clock, limits: httpLimits(environment), ...install };
  const http = await createHttpApplication({ modules, keys: keys.known, ...server });
  shutdown.register('http', () => http.close());
  const url = await http.listen(environment.port, environment.host);
  const shownOnce = await makeFirstKey(keys.ring, ACCOUNT, environment.apiKey);
  logger.info({ url }, 'ingestion-gateway is ready');
  if (shownOnce !== null) console.log(`API key (shown this once: keep it): ${shownOnce}`);
}

void runIngestionGateway(start);
