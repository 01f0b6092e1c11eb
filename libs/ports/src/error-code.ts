/** A code of the system (`ECONNREFUSED`), of Postgres (`57P01`) or of Kafka (`LEADER_NOT_AVAILABLE`). */
const CODE = /^[A-Z0-9][A-Z0-9_]{4,49}$/;
const MOST_LEVELS = 5;

/**
 * The code of an error or of its cause; null if there is none. It may be shown to everybody: unlike a message, it names no host, address
 * or value.
 */
export function errorCode(error: unknown, levels: number = MOST_LEVELS): string | null {
  if (typeof error !== 'object' || error === null || levels === 0) return null;
  const { code, type, name, cause, errors } = error as Readonly<Record<string, unknown>>;
  const own = [code, type].find((text) => typeof text === 'string' && CODE.test(text));
  if (own !== undefined) return own as string;
  // A host with several addresses causes one error for each.
  const within = errorCode(cause, levels - 1) ?? (Array.isArray(errors) ? errorCode(errors[0], levels - 1) : null);
  return within ?? (typeof name === 'string' && name.startsWith('KafkaJS') ? name : null);
}
