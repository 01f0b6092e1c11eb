import { ACCOUNT } from '@laurel/kernel';
import { openFollowedKeys } from '@laurel/administration';
import { ConsoleSessions } from '@laurel/console-server';
import { openQueryGateway } from '@laurel/gateways';
import { type ProcessFrame, runProcess } from '@laurel/processes';
import { DocumentsModule } from '@laurel/openapi';
import { QueriesModule } from '@laurel/queries';
import { createHttpApplication, httpLimits, lastingFailure } from '@laurel/runtime';
import { EffectsController } from './effects-controller.ts';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger, health, metrics, shutdown, port } = frame;
  const { keys: dataSource, bounded, ...reads } = await openQueryGateway(frame);
  const keys = await openFollowedKeys({
    dataSource,
    account: ACCOUNT,
    given: environment.apiKey,
    clock,
    log: null,
    onTrouble: lastingFailure(logger, clock, 'API keys could not be read'),
  });
  shutdown.register('key refresh', () => keys.stop());
  const sessions = new ConsoleSessions({ dataSource, keys: keys.known, clock });
  const http = await createHttpApplication({
    modules: [
      QueriesModule.register({ ...reads, clock }, bounded),
      DocumentsModule.register({
        configuration: () => (reads.isConfigured() ? reads.configuration(ACCOUNT).current : null),
      }),
    ],
    keys: keys.known,
    // Reads that the ingestion gateway forwards for a browser bring its cookie. They change nothing, so their origin is not checked.
    sessions: environment.console ? { sessions, publicUrl: null } : undefined,
    health,
    metrics,
    logger,
    clock,
    limits: httpLimits(environment),
    port,
  });
  shutdown.register('http', () => http.close());
  logger.info({ url: await http.listen(environment.port, environment.host) }, 'query-gateway is ready');
}

void runProcess('query-gateway', start, { controllers: [EffectsController] });
