import { ACCOUNT } from '@laurel/kernel';
import {
  AdministrationModule,
  HeldFile,
  REBUILDS_ELSEWHERE,
  LiveConfigurations,
  VerificationRuns,
  heldBackAnswer,
  makeFirstKey,
  openFollowedKeys,
  readConfiguredFile,
  reportHeldFile,
  startConfiguration,
} from '@laurel/administration';
import { ConsoleModule, openConsole } from '@laurel/console-server';
import { forwardReads, forwardToOutgoing, openIngestionGateway, runIngestionGateway } from '@laurel/gateways';
import type { ProcessFrame } from '@laurel/processes';
import { EventCounts, IngestionModule } from '@laurel/ingestion';
import { DocumentsModule } from '@laurel/openapi';
import { ANSWER_COMPOSERS, liveEvent } from '@laurel/queries';
import { basePathOf, createHttpApplication, httpLimits, lastingFailure } from '@laurel/runtime';
import { WEBHOOKS_ELSEWHERE, WebhooksModule } from '@laurel/webhooks';
import type { FastifyInstance } from 'fastify';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, clock, logger, health, metrics, shutdown, port } = frame;
  const file = await readConfiguredFile(environment.config);
  let held = HeldFile.NONE;
  const gateway = await openIngestionGateway(frame, ACCOUNT, () => heldBackAnswer(held.present));
  const {
    intake,
    publisher,
    configurationFiles: files,
    operations,
    directory,
    erasures,
    users,
    achievements,
    configuration,
    bounded,
    administrativeLog,
    exports,
    events,
    logHash,
    verify,
    live: reads,
  } = gateway;
  port?.starting('publishing the configuration');
  held = await startConfiguration(ACCOUNT, { engine: publisher, files, file, demo: false, logger });
  reportHeldFile(held, health, logger);
  const keys = await openFollowedKeys({
    dataSource: gateway.keys,
    account: ACCOUNT,
    given: environment.apiKey,
    clock,
    log: gateway.keyLog,
    onTrouble: lastingFailure(
      logger,
      clock,
      'API keys could not be read, or a change of them not be recorded; retrying',
    ),
  });
  shutdown.register('key refresh', () => keys.stop());
  const counts = new EventCounts();
  counts.observeBy(metrics);
  const verifications = new VerificationRuns({
    run: (asked, onProgress) => verify(ACCOUNT, asked, onProgress),
    clock,
    onEnd: (verification, err) =>
      err ? logger.error({ verification, err }, 'verification failed') : logger.info({ verification }, 'verified'),
  });
  const { publicUrl, queryUrl, outgoingUrl } = environment;
  const missing = [
    ...(outgoingUrl === null ? [{ path: '/admin/v1/webhooks', reason: WEBHOOKS_ELSEWHERE.detail }] : []),
    { path: '/admin/v1/rebuilds', reason: `Areas ${REBUILDS_ELSEWHERE.message}.` },
  ];
  const feedFailed = lastingFailure(logger, clock, 'the live feed could not be read; it is tried again');
  const live = { reads, directory: bounded.directory, answer: liveEvent(configuration), onFailure: feedFailed };
  const browsers = environment.console
    ? openConsole({ dataSource: gateway.keys, keys: keys.known, clock, publicUrl, live, missing })
    : null;
  const modules = [
    IngestionModule.register(
      {
        intake,
        corrections: null,
        directory,
        erasures,
        clock,
        counts,
        configuration,
        users,
        achievements,
        ...ANSWER_COMPOSERS,
      },
      { users: bounded.users, directory: bounded.directory, erasures: { ...erasures, directory: bounded.directory } },
    ),
    AdministrationModule.register(
      {
        operations,
        rebuilds: null,
        verifications,
        configurations: new LiveConfigurations(publisher, files),
        keys: keys.ring,
        exports,
        events,
        outcomes: null,
        support: { ...bounded, configuration },
        logHash,
        audit: { log: administrativeLog, directory: bounded.directory },
        clock,
        logger,
      },
      outgoingUrl === null ? 'here' : 'elsewhere',
    ),
    ...(outgoingUrl === null ? [WebhooksModule.register({ webhooks: null, logger })] : []),
    DocumentsModule.register({
      configuration: () => configuration(ACCOUNT).current,
      basePath: basePathOf(publicUrl),
      hasConsole: browsers !== null,
    }),
    ...(browsers === null ? [] : [ConsoleModule.register(browsers)]),
  ];
  const forwarded = [
    ...(queryUrl === null ? [] : [forwardReads(queryUrl)]),
    ...(outgoingUrl === null ? [] : [forwardToOutgoing(outgoingUrl)]),
  ];
  const server = {
    health,
    metrics,
    logger,
    clock,
    limits: httpLimits(environment),
    basePath: basePathOf(publicUrl),
    port,
    install: async (fastify: FastifyInstance) => {
      for (const forward of forwarded) await forward(fastify);
    },
    ...(browsers && { sessions: browsers }),
  };
  const http = await createHttpApplication({ modules, keys: keys.known, ...server });
  shutdown.register('http', () => http.close());
  const url = await http.listen(environment.port, environment.host);
  const shownOnce = await makeFirstKey(keys.ring, ACCOUNT, environment.apiKey);
  logger.info({ url }, 'ingestion-gateway is ready');
  if (shownOnce !== null) console.log(`API key (shown this once: keep it): ${shownOnce}`);
}

void runIngestionGateway(start);
