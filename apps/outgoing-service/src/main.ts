import { ACCOUNT, StoreUnavailableError } from '@laurel/kernel';
import { openFollowedKeys, OutcomesModule } from '@laurel/administration';
import { ConsoleSessions } from '@laurel/console-server';
import { forwardToWorking, openOutgoingService } from '@laurel/gateways';
import { type ProcessFrame, runProcess } from '@laurel/processes';
import { createHttpApplication, httpLimits, lastingFailure } from '@laurel/runtime';
import { observeWebhooks, WebhooksModule } from '@laurel/webhooks';
import { deliverBy } from './deliver.ts';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger, health, metrics, shutdown, port } = frame;
  const service = await openOutgoingService(frame, ACCOUNT, deliverBy(frame, ACCOUNT));
  const { keys: dataSource, outcomes, deliverer, workingAt } = service;
  const webhooks = () => {
    const found = deliverer();
    if (found === null) throw new StoreUnavailableError('webhooks are being read');
    return found;
  };
  observeWebhooks(frame, deliverer);
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
    modules: [OutcomesModule.register({ outcomes, clock }), WebhooksModule.register({ webhooks, logger })],
    install: forwardToWorking(workingAt),
    keys: keys.known,
    // Requests that the ingestion gateway forwards for a browser bring its cookie, and name themselves as a page of the console.
    sessions: environment.console ? { sessions, publicUrl: null } : undefined,
    health,
    metrics,
    logger,
    clock,
    limits: httpLimits(environment),
    port,
  });
  shutdown.register('http', () => http.close());
  logger.info({ url: await http.listen(environment.port, environment.host) }, 'outgoing-service is ready');
}

void runProcess('outgoing-service', start);
