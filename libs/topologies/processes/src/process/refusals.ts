import { StoreUnavailableError } from '@laurel/kernel';
import { errorCode } from '@laurel/ports';
import { StartError } from '@laurel/database';
import { TooFewBrokersError, TopicMismatchError } from '@laurel/event-stream';
import { EnvironmentError } from '@laurel/runtime';

/** Whether the message says what to do, so that a stack would only hide it. Errors of the HTTP modules are recognized by name. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof EnvironmentError ||
  error instanceof StartError ||
  error instanceof TopicMismatchError ||
  error instanceof StoreUnavailableError ||
  (error instanceof Error && (error.name.startsWith('KafkaJS') || REFUSALS.has(error.name))) ||
  REACH_ERRORS.has((error as NodeJS.ErrnoException).code ?? '');

const REFUSALS = new Set([
  'OAuthTokenError',
  'PortError',
  'ConfigurationError',
  'EmbeddedPostgresError',
  'EventStoreAccessError',
  'LogInUseError',
  'ResendDiffersError',
  'StaleStatesError',
  'StepsDifferError',
  'StreamUnavailableError',
  'TooFewBrokersError',
]);

/** Errors of the system, or of the database, for an unusable address. */
const REACH_ERRORS = new Set(['EADDRINUSE', 'EACCES', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '3D000']);

/** Names the variable to check when the brokers refuse the process or cannot be reached. @throws TopicMismatchError unchanged, else StartError */
export function refuseBrokers(cause: unknown): never {
  if (cause instanceof TopicMismatchError) throw cause;
  if (cause instanceof TooFewBrokersError)
    throw new StartError(
      `LAUREL_REPLICATION is ${cause.replication}, but the cluster at LAUREL_KAFKA_BROKERS has fewer brokers (${cause.brokers}): ` +
        'start the others, or set LAUREL_REPLICATION to what there is',
      { cause },
    );
  if (!isRefusal(cause)) throw cause;
  const { message, errors = [] } = cause as Error & { readonly errors?: readonly Error[] };
  const reasons = [message, ...new Set(errors.map((error) => error.message))].join('; ');
  const code = errorCode(cause) ?? '';
  const [, remedy = ''] = REMEDIES.find(([pattern]) => pattern.test(code)) ?? [];
  throw new StartError(`the brokers of LAUREL_KAFKA_BROKERS cannot be used: ${reasons.trim()}${remedy}`, { cause });
}

/** Remedies by error code, where the message alone does not help. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^TOKEN_UNAVAILABLE$/, '. Check LAUREL_KAFKA_OAUTH_TOKEN_URL'],
  [
    /^TOKEN_REQUEST_REFUSED$/,
    '. Correct LAUREL_KAFKA_OAUTH_CLIENT_ID and LAUREL_KAFKA_OAUTH_CLIENT_SECRET, or what is asked for by ' +
      'LAUREL_KAFKA_OAUTH_SCOPE and LAUREL_KAFKA_OAUTH_AUDIENCE',
  ],
  [
    /^TOKEN_REFUSED$/,
    '. Set LAUREL_KAFKA_OAUTH_SCOPE and LAUREL_KAFKA_OAUTH_AUDIENCE to what they expect, or have them expect this token',
  ],
  [
    /^ERR_SSL_.*ALERT_((BAD_|UNSUPPORTED_)?CERTIFICATE|UNKNOWN_CA)/,
    '. They ask for a client certificate that they trust: set LAUREL_KAFKA_CLIENT_CERT and LAUREL_KAFKA_CLIENT_KEY',
  ],
];
