import { type DynamicModule, Module } from '@nestjs/common';
import { CorrectionsController } from './corrections/corrections-controller.ts';
import { ErasingController } from './erasing/erasing-controller.ts';
import { GrantsController } from './grants/grants-controller.ts';
import { GrantsToManyController } from './grants/grants-to-many-controller.ts';
import { IngestionController } from './ingestion-controller.ts';
import { SpendsController } from './spends/spends-controller.ts';
import { BOUNDED_INGESTION_PORTS, INGESTION_PORTS, type BoundedIngestionPorts, type IngestionPorts } from './ports.ts';

/** The HTTP API that takes events. */
@Module({})
export class IngestionModule {
  /** @param bounded ports for browser sessions that preview and erase */
  static register(ports: IngestionPorts, bounded: Partial<BoundedIngestionPorts> = {}): DynamicModule {
    const boundedPorts: BoundedIngestionPorts = { ...ports, ...bounded };
    const providers = [
      { provide: INGESTION_PORTS, useValue: ports },
      { provide: BOUNDED_INGESTION_PORTS, useValue: boundedPorts },
    ];
    const controllers = [
      ...[IngestionController, GrantsController, GrantsToManyController],
      ...[ErasingController, CorrectionsController, SpendsController],
    ];
    return { module: IngestionModule, controllers, providers };
  }
}
