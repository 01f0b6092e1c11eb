export {
  type ApiKeys,
  type FoundKey,
  ENVIRONMENT_KEY,
  fullScopeKey,
  generateApiKey,
  hasApiKeyForm,
  hashApiKey,
  type KeyRefusal,
  type Principal,
  type RateLimit,
} from './api-keys.ts';
export { clockNote, createClock, LONGEST_DELAY_MS } from './clock.ts';
export { dataFolders, formerDataFolder, withFormerFolder } from './data-folders.ts';
export { type Environment, EnvironmentError, missingVariables, readEnvironment } from './environment/environment.ts';
export {
  ENVIRONMENT_VARIABLES,
  type EnvironmentVariable,
  TOOL_VARIABLES,
  VARIABLE_NAMES,
} from './environment/environment-variables.ts';
export { misspelledVariables, unknownVariables } from './environment/unknown-variables.ts';
export { type ClockSetting, LOG_LEVELS, type LogLevel, type MetricsAccess } from './environment/variable-parsers.ts';
export { type ComponentHealth, Health, type HealthCheck, type HealthReport, type LivenessCheck } from './health.ts';
export {
  BODY_LIMIT,
  createHttpApplication,
  type HttpApplication,
  type HttpApplicationOptions,
  httpLimits,
} from './http/application.ts';
export { basePathOf } from './http/base-path.ts';
export { type Credential, credentialOf, principalOf, type SessionGate } from './http/guard.ts';
export { HttpPort } from './http/http-port.ts';
export { problemBelow } from './http/problem-reply.ts';
export { PortError } from './http/port-check.ts';
export { type StepReport } from './http/start-steps.ts';
export { type Download, sendDownload } from './http/downloads.ts';
export { headerText } from './http/header-text.ts';
export { jsonBody, readJson } from './http/json-body.ts';
export { answerLines, hasLines } from './http/line-streams.ts';
export { LOCAL_SOCKET_FILES, LocalSocketInUseError, localSocketPath } from './http/local-socket.ts';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './environment/http-limits.ts';
export { Account, BySession, Caller } from './http/caller.ts';
export { Route, type RoutedOperation, routeOf } from './http/route.ts';
export { isFromOwnPage, SESSION_COOKIE, type Sessions, sessionToken } from './http/sessions.ts';
export { lastingFailure } from './lasting-failure.ts';
export { LastingFailures, type RepeatedWork } from './lasting-failures.ts';
export { endOnUncaughtErrors } from './uncaught-errors.ts';
export { createLogger, type Logger, nestLogger } from './logging.ts';
export { type LabelledValue, type MetricName, Metrics } from './metrics.ts';
export { type Line } from './http/line-splitter.ts';
export { isBlank, LONGEST_LINE, withoutMark } from './http/ndjson.ts';
export { rateLimited } from './rate-limited.ts';
export { Shutdown, type StoppableProcess } from './shutdown.ts';
