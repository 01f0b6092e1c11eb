import { type DynamicModule, Module } from '@nestjs/common';
import { CorrectionsController } from './corrections/corrections-controller.ts';
import { ErasingController } from './erasing/erasing-controller.ts';
import { GrantsController } from './grants/grants-controller.ts';
import { GrantsToManyController } from './grants/grants-to-many-controller.ts';
import { IngestionController } from './ingestion-controller.ts';
import { INGESTION_PORTS, type IngestionPorts } from './ports.ts';

/** The doors through which events come in. */
@Module({})
export class IngestionModule {
  static register(ports: IngestionPorts): DynamicModule {
    const providers = [{ provide: INGESTION_PORTS, useValue: ports }];
    const controllers = [
      ...[IngestionController, GrantsController, GrantsToManyController],
      ...[ErasingController, CorrectionsController],
    ];
    return { module: IngestionModule, controllers, providers };
  }
}
