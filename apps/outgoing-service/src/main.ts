import { ACCOUNT, StoreUnavailableError } from '@laurel/kernel';
import { openFollowedKeys, OutcomesModule } from '@laurel/administration';
import { ConsoleSessions } from '@laurel/console-server';
import { forwardToWorking, openOutgoingService } from '@laurel/gateways';
import { type ProcessFrame, runProcess } from '@laurel/processes';
import { serveProcess } from '@laurel/runtime';
import { observeWebhooks, WebhooksModule } from '@laurel/webhooks';
import { deliverBy } from './deliver.ts';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger } = frame;
  const service = await openOutgoingService(frame, ACCOUNT, deliverBy(frame, ACCOUNT));
  const { keys: dataSource, outcomes, deliverer, workingAt } = service;
  const webhooks = () => {
    const found = deliverer();
    if (found === null) throw new StoreUnavailableError('webhooks are being read');
    return found;
  };
  observeWebhooks(frame, deliverer);
  const keys = await openFollowedKeys(frame, { dataSource, account: ACCOUNT, log: null });
  const sessions = new ConsoleSessions({ dataSource, keys: keys.known, clock });
  const url = await serveProcess(frame, {
    modules: [OutcomesModule.register({ outcomes, clock }), WebhooksModule.register({ webhooks, logger })],
    install: forwardToWorking(workingAt),
    keys: keys.known,
    // Requests that the ingestion gateway forwards for a browser carry its cookie, and identify themselves as requests
    // of a page of the console.
    sessions: environment.console ? { sessions, publicUrl: null } : undefined,
  });
  logger.info({ url }, 'outgoing-service is ready');
}

void runProcess('outgoing-service', start);
