import { type DynamicModule, Module } from '@nestjs/common';
import { CONSOLE_PORTS, type ConsolePorts } from './ports.ts';
import { ConsoleSessionsController } from './sessions/console-sessions-controller.ts';
import { SessionController } from './sessions/session-controller.ts';

/** The sessions of those who use the console. */
@Module({})
export class ConsoleModule {
  static register(ports: ConsolePorts): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [SessionController, ConsoleSessionsController],
      providers: [{ provide: CONSOLE_PORTS, useValue: ports }],
    };
  }
}
