export { ConsoleSessions, type ConsoleSessionsParts } from './sessions/console-sessions.ts';
export { FailedAttempts } from './sessions/failed-attempts.ts';
