/**
 * Whether an error of the Postgres driver is the server's answer to a statement, so that the connection stays open. Any other error has
 * ended it. Postgres may translate the severity (`lc_messages`); then the code decides.
 */
export function isAnswerOfServer(error: unknown): error is Error {
  const { severity, code } = error as { readonly severity?: unknown; readonly code?: unknown };
  if (typeof severity !== 'string' || severity === 'ERROR') return severity === 'ERROR';
  return severity !== 'FATAL' && severity !== 'PANIC' && !ENDS_SESSION.test(String(code));
}

/**
 * Connection errors (classes 08 and 28, 3D, 53300), a server shutdown (57P), and sessions that were idle for too long
 * (25P03, 25P04).
 */
const ENDS_SESSION = /^(?:08|28|3D|53300|57P|25P0[34])/;
