import { type DynamicModule, Module } from '@nestjs/common';
import { LiveController } from './live/live-controller.ts';
import { PagesController } from './pages/pages-controller.ts';
import { CONSOLE_PORTS, type ConsolePorts } from './ports.ts';
import { ConsoleSessionsController } from './sessions/console-sessions-controller.ts';
import { SessionController } from './sessions/session-controller.ts';

/** Serves the console, and the sessions of its users. */
@Module({})
export class ConsoleModule {
  static register(ports: ConsolePorts): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [SessionController, ConsoleSessionsController, LiveController, PagesController],
      providers: [{ provide: CONSOLE_PORTS, useValue: ports }],
    };
  }
}
