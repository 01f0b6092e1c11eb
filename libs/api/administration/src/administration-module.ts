import { type DynamicModule, Module } from '@nestjs/common';
import { AuditController } from './audit/audit-controller.ts';
import { ConfigurationController } from './configuration/configuration-controller.ts';
import { EventsController } from './events/events-controller.ts';
import { ExportController } from './export/export-controller.ts';
import { KeysController } from './keys/keys-controller.ts';
import { LogController } from './log/log-controller.ts';
import { OperationsController } from './operations/operations-controller.ts';
import { OutcomesController } from './outcomes/outcomes-controller.ts';
import { VerificationsController } from './operations/verifications-controller.ts';
import { CompletionsController } from './users/completions-controller.ts';
import { LevelsController } from './users/levels-controller.ts';
import { UsersController } from './users/users-controller.ts';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from './ports.ts';

/** The HTTP API that runs a service. */
@Module({})
export class AdministrationModule {
  /** @param outcomes `elsewhere` if the application has a separate route for outcomes */
  static register(ports: AdministrationPorts, outcomes: 'here' | 'elsewhere' = 'here'): DynamicModule {
    return {
      module: AdministrationModule,
      controllers: [
        OperationsController,
        VerificationsController,
        AuditController,
        ExportController,
        EventsController,
        LogController,
        ...(outcomes === 'here' ? [OutcomesController] : []),
        ConfigurationController,
        KeysController,
        UsersController,
        CompletionsController,
        LevelsController,
      ],
      providers: [{ provide: ADMINISTRATION_PORTS, useValue: ports }],
    };
  }
}
