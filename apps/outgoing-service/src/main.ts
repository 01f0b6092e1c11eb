import { ACCOUNT } from '@laurel/contracts';
import { openFollowedKeys, OutcomesModule } from '@laurel/administration';
import { ConsoleSessions } from '@laurel/console-server';
import { openOutgoingService, runProcess, type ProcessFrame } from '@laurel/distributed';
import { createHttpApplication, httpLimits } from '@laurel/runtime';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger, health, metrics, shutdown, port } = frame;
  const { keys: dataSource, outcomes } = await openOutgoingService(frame, ACCOUNT);
  const keys = await openFollowedKeys({
    dataSource,
    account: ACCOUNT,
    given: environment.apiKey,
    clock,
    log: null,
    onTrouble: (err) => logger.warn({ err }, 'API keys could not be read'),
  });
  shutdown.register('key refresh', () => keys.stop());
  // Reads that the ingestion gateway hands on for a browser bring its cookie. They change nothing, so no origin is asked for.
  const sessions = environment.console && {
    sessions: { sessions: new ConsoleSessions({ dataSource, keys: keys.known, clock }), publicUrl: null },
  };
  const http = await createHttpApplication({
    modules: [OutcomesModule.register({ outcomes, clock })],
    ...{ keys: keys.known, health, metrics, logger, clock, limits: httpLimits(environment), port },
    ...sessions,
  });
  shutdown.register('http', () => http.close());
  logger.info({ url: await http.listen(environment.port, environment.host) }, 'outgoing-service is ready');
}

void runProcess('outgoing-service', start);
