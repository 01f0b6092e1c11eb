const PATIENCE_MS = 30_000;

/** @throws {Error} if the response has another status than `expected` */
export async function request(url, key, method, path, body, expected, headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const answer = await response.json();
  if (response.status !== expected)
    throw new Error(`${path} was answered with ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Sends an event that the documents in docker/ and k8s/ use; the response contains a part of each area. */
export async function postEvent(url, key, idempotencyKey, { status, ...expected }) {
  const event = { user: { id: 'ada', tz: 'Europe/London' }, value: 1 };
  const headers = { 'Idempotency-Key': idempotencyKey };
  const answer = await request(url, key, 'POST', '/api/metrics/lessons/event', event, status, headers);
  const wanted = { pending: undefined, ...expected };
  const isWhole = answer.currentStreak?.length === 1 && answer.points?.xp !== undefined;
  if (!isWhole || Object.entries(wanted).some(([name, value]) => answer[name] !== value))
    throw new Error(`the event was answered with ${JSON.stringify(answer)}`);
}
