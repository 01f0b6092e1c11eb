import { ACCOUNT } from '@laurel/kernel';
import {
  HeldFile,
  REBUILDS_ELSEWHERE,
  heldBackAnswer,
  makeFirstKey,
  openFollowedKeys,
  readConfiguredFile,
  reportHeldFile,
  startConfiguration,
  type Keys,
} from '@laurel/administration';
import { openConsole, type ConsolePorts } from '@laurel/console-server';
import { forwardReads, forwardToOutgoing, openIngestionGateway, runIngestionGateway } from '@laurel/gateways';
import type { ProcessFrame } from '@laurel/processes';
import { liveEvent } from '@laurel/queries';
import { basePathOf, lastingFailure, serveProcess } from '@laurel/runtime';
import { WEBHOOKS_ELSEWHERE } from '@laurel/webhooks';
import type { FastifyInstance } from 'fastify';
import { gatewayModules, type IngestionGateway } from './gateway-modules.ts';

async function start(frame: ProcessFrame): Promise<void> {
  const { environment, logger, health, port } = frame;
  const file = await readConfiguredFile(environment.config);
  let held = HeldFile.NONE;
  const gateway = await openIngestionGateway(frame, ACCOUNT, () => heldBackAnswer(held.present));
  port?.starting('publishing the configuration');
  const { publisher: engine, configurationFiles: files, directory: hashing } = gateway;
  held = await startConfiguration(ACCOUNT, { engine, files, hashing, file, demo: false, logger });
  reportHeldFile(held, health, logger);
  const keys = await openFollowedKeys(frame, { dataSource: gateway.keys, account: ACCOUNT, log: gateway.keyLog });
  const browsers = environment.console ? consoleOf(frame, gateway, keys) : null;
  const url = await serveProcess(frame, {
    modules: gatewayModules({ frame, gateway, keys, console: browsers }),
    keys: keys.known,
    sessions: browsers ?? undefined,
    basePath: basePathOf(environment.publicUrl),
    install: (fastify) => installForwarding(frame, fastify),
  });
  const shownOnce = await makeFirstKey(keys.ring, ACCOUNT, environment.apiKey);
  logger.info({ url }, 'ingestion-gateway is ready');
  if (shownOnce !== null) console.log(`API key (shown this once: keep it): ${shownOnce}`);
}

function consoleOf({ environment, clock, logger }: ProcessFrame, gateway: IngestionGateway, keys: Keys): ConsolePorts {
  const { publicUrl, outgoingUrl } = environment;
  return openConsole({
    dataSource: gateway.keys,
    keys: keys.known,
    clock,
    publicUrl,
    live: {
      reads: gateway.live,
      directory: gateway.bounded.directory,
      answer: liveEvent(gateway.configuration),
      onFailure: lastingFailure(logger, clock, 'the live feed could not be read; it is tried again'),
    },
    missing: [
      ...(outgoingUrl === null ? [{ path: '/admin/v1/webhooks', reason: WEBHOOKS_ELSEWHERE.detail }] : []),
      { path: '/admin/v1/rebuilds', reason: `Areas ${REBUILDS_ELSEWHERE.message}.` },
    ],
  });
}

/** Forwards requests that another process answers. */
async function installForwarding({ environment }: ProcessFrame, fastify: FastifyInstance): Promise<void> {
  const { queryUrl, outgoingUrl } = environment;
  if (queryUrl !== null) await forwardReads(queryUrl)(fastify);
  if (outgoingUrl !== null) await forwardToOutgoing(outgoingUrl)(fastify);
}

void runIngestionGateway(start);
