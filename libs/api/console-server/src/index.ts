export { ConsoleModule } from './console-module.ts';
export { openConsole } from './open-console.ts';
export { type ConsolePorts } from './ports.ts';
export { ConsoleSessions } from './sessions/console-sessions.ts';
