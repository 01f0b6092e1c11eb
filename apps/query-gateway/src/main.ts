import { ACCOUNT } from '@laurel/kernel';
import { openFollowedKeys } from '@laurel/administration';
import { ConsoleSessions } from '@laurel/console-server';
import { openQueryGateway } from '@laurel/gateways';
import { type ProcessFrame, runProcess } from '@laurel/processes';
import { DocumentsModule } from '@laurel/openapi';
import { QueriesModule } from '@laurel/queries';
import { serveProcess } from '@laurel/runtime';
import { EffectsController } from './effects-controller.ts';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger } = frame;
  const { keys: dataSource, bounded, ...reads } = await openQueryGateway(frame);
  const keys = await openFollowedKeys(frame, { dataSource, account: ACCOUNT, log: null });
  const sessions = new ConsoleSessions({ dataSource, keys: keys.known, clock });
  const url = await serveProcess(frame, {
    modules: [
      QueriesModule.register({ ...reads, clock }, bounded),
      DocumentsModule.register({
        configuration: () => (reads.isConfigured() ? reads.configuration(ACCOUNT).current : null),
      }),
    ],
    keys: keys.known,
    // Reads that the ingestion gateway forwards for a browser carry its cookie. They change nothing, so their origin is
    // not checked.
    sessions: environment.console ? { sessions, publicUrl: null } : undefined,
  });
  logger.info({ url }, 'query-gateway is ready');
}

void runProcess('query-gateway', start, { controllers: [EffectsController] });
