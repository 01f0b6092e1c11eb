import { ACCOUNT } from '@laurel/kernel';
import { AdministrationModule, LiveConfigurations, VerificationRuns, type Keys } from '@laurel/administration';
import { ConsoleModule, type ConsolePorts } from '@laurel/console-server';
import type { openIngestionGateway } from '@laurel/gateways';
import type { ProcessFrame } from '@laurel/processes';
import { EventCounts, IngestionModule } from '@laurel/ingestion';
import { DocumentsModule } from '@laurel/openapi';
import { ANSWER_COMPOSERS } from '@laurel/queries';
import { basePathOf } from '@laurel/runtime';
import { WebhooksModule } from '@laurel/webhooks';

export type IngestionGateway = Awaited<ReturnType<typeof openIngestionGateway>>;

export interface ServedGateway {
  readonly frame: ProcessFrame;
  readonly gateway: IngestionGateway;
  readonly keys: Keys;
  /** null if the console is switched off. */
  readonly console: ConsolePorts | null;
}

/** The HTTP modules of the process. Without an outgoing service, the routes of webhooks answer that there is none. */
export function gatewayModules(served: ServedGateway) {
  const { frame, gateway, console } = served;
  const { publicUrl, outgoingUrl } = frame.environment;
  return [
    ingestionModule(served),
    administrationModule(served),
    ...(outgoingUrl === null ? [WebhooksModule.register({ webhooks: null, logger: frame.logger })] : []),
    DocumentsModule.register({
      configuration: () => gateway.configuration(ACCOUNT).current,
      basePath: basePathOf(publicUrl),
      hasConsole: console !== null,
    }),
    ...(console === null ? [] : [ConsoleModule.register(console)]),
  ];
}

function ingestionModule({ frame: { clock, metrics }, gateway }: ServedGateway) {
  const { intake, decisions, directory, erasures, configuration, users, achievements, bounded } = gateway;
  const counts = new EventCounts();
  counts.observeBy(metrics);
  return IngestionModule.register(
    {
      intake,
      corrections: null,
      requests: decisions,
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
  );
}

function administrationModule({ frame, gateway, keys }: ServedGateway) {
  const { environment, clock, logger } = frame;
  const { operations, publisher, configurationFiles, exports, events, bounded, configuration, logHash } = gateway;
  return AdministrationModule.register(
    {
      operations,
      rebuilds: null,
      verifications: new VerificationRuns({
        run: (options, onProgress) => gateway.verify(ACCOUNT, options, onProgress),
        clock,
        onEnd: (verification, err) =>
          err
            ? logger.error({ verification, err }, 'verification failed')
            : logger.info({ verification }, 'verification completed'),
      }),
      configurations: new LiveConfigurations(publisher, configurationFiles, gateway.directory),
      keys: keys.ring,
      exports,
      events,
      outcomes: null,
      support: { ...bounded, configuration },
      logHash,
      audit: { log: gateway.administrativeLog, directory: bounded.directory },
      clock,
      logger,
    },
    environment.outgoingUrl === null ? 'here' : 'elsewhere',
  );
}
