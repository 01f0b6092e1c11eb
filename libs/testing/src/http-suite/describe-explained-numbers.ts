import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSuiteTarget } from './client.ts';
import { explainedNumbers, type NumbersQuery, type ReadText } from './explained-numbers.ts';

/** Reads from a server that may be busy with other tests, and retries where a client would. */
export function patientReader(target: () => HttpSuiteTarget): ReadText {
  const read: ReadText = async (path) => {
    const { baseUrl, apiKey } = target();
    const ask = () => fetch(new URL(path, baseUrl), { headers: { 'x-api-key': apiKey } });
    // The server may close an idle connection just when the next request is sent on it. A read can be repeated.
    const response = await ask().catch(ask);
    const text = await response.text();
    if (response.status === 404) return null;
    if (response.status === 503) {
      await sleep(1_000 * Number(response.headers.get('retry-after')));
      return read(path);
    }
    if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
    return text;
  };
  return read;
}

/**
 * Compares numbers of the suite's users with their explanations. Runs after the suite.
 * @param settled resolves once everything recorded is applied
 */
export function describeExplainedNumbers(
  target: () => HttpSuiteTarget,
  query: NumbersQuery,
  settled: () => Promise<unknown> = () => Promise.resolve(),
): void {
  describe('every number that these have led to', () => {
    beforeAll(async () => {
      await settled();
    });

    it('is what its explanation adds up to', async () => {
      const { users, numbers, findings } = await explainedNumbers(patientReader(target), query);
      expect(findings).toEqual([]);
      expect([users > 50 / query.every, numbers > 20 * users]).toEqual([true, true]);
    }, 300_000);
  });
}
