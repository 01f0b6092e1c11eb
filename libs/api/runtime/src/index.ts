export {
  type ApiKeys,
  type FoundKey,
  ENVIRONMENT_KEY,
  fullScopeKey,
  generateApiKey,
  hashApiKey,
  type KeyRefusal,
  type Principal,
} from './api-keys.ts';
export { clockNote, createClock } from './clock.ts';
export { dataFolders, formerDataFolder } from './data-folders.ts';
export { type Environment, EnvironmentError, missingVariables, readEnvironment } from './environment/environment.ts';
export { ENVIRONMENT_VARIABLES, TOOL_VARIABLES } from './environment/environment-variables.ts';
export { unknownVariables } from './environment/unknown-variables.ts';
export { type MetricsAccess } from './environment/variable-parsers.ts';
export { type ComponentHealth, Health } from './health.ts';
export {
  createHttpApplication,
  type HttpApplication,
  type HttpApplicationOptions,
  httpLimits,
} from './http/application.ts';
export { basePathOf } from './http/base-path.ts';
export { type Credential, credentialOf, principalOf } from './http/caller.ts';
export { cursorFormat, numberCursor, type CursorFormat } from './http/cursor-format.ts';
export { HttpPort } from './http/http-port.ts';
export { openProcessPort, serveProcess } from './http/process-port.ts';
export { problemBelow } from './http/problem-reply.ts';
export { PortError } from './http/port-check.ts';
export { type StepReport } from './http/start-steps.ts';
export { sendDownload } from './http/downloads.ts';
export { headerText } from './http/header-text.ts';
export { jsonBody, parseJsonBytes } from './http/json-body.ts';
export { configured, invalidField, valid, validBody } from './http/valid-request.ts';
export { answerLines, hasLines } from './http/line-streams.ts';
export { LOCAL_SOCKET_FILES, LocalSocketInUseError, localSocketPath } from './http/local-socket.ts';
export { type ApiCall, Call, type Query } from './http/call.ts';
export { Route, routeOf } from './http/route.ts';
export { isFromOwnPage, SESSION_COOKIE, type Sessions, sessionToken } from './http/sessions.ts';
export { lastingFailure } from './lasting-failure.ts';
export { LastingFailures } from './lasting-failures.ts';
export { endOnUncaughtErrors } from './uncaught-errors.ts';
export { logUserSearch, type UserSearchLog } from './log-user-search.ts';
export { createLogger, type Logger } from './logging.ts';
export { Metrics } from './metrics.ts';
export { type Line } from './http/line-splitter.ts';
export { isBlank, LONGEST_LINE, withoutMark } from './http/ndjson.ts';
export { rateLimited } from './rate-limited.ts';
export { Shutdown } from './shutdown.ts';
