import { type DynamicModule, Module } from '@nestjs/common';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { OutcomesController } from './outcomes-controller.ts';

/** The HTTP API for outcomes only. */
@Module({})
export class OutcomesModule {
  static register(ports: Pick<AdministrationPorts, 'outcomes' | 'clock'>): DynamicModule {
    return {
      module: OutcomesModule,
      controllers: [OutcomesController],
      providers: [{ provide: ADMINISTRATION_PORTS, useValue: ports }],
    };
  }
}
