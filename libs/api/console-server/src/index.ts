export { ConsoleModule } from './console-module.ts';
export { type ConsoleParts, openConsole } from './open-console.ts';
export { CONSOLE_PORTS, type ConsolePorts } from './ports.ts';
export { ConsoleSessions, type ConsoleSessionsParts } from './sessions/console-sessions.ts';
