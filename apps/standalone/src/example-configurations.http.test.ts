import { readFile, readdir } from 'node:fs/promises';
import type { Clock } from '@laurel/ports';
import type { BatchResult } from '@laurel/schemas';
import { parse } from 'yaml';
import { askOf } from './testing/ask.ts';
import { serveOnFreshDatabase } from './testing/serve-in-process.ts';

const FOLDER = new URL('../../../examples/configurations/', import.meta.url);

/** `NAME.reads.yaml`: what reads answer after `NAME.history.ndjson`; fields that it leaves out may have any value. */
interface ExpectedReads {
  readonly now: string;
  readonly reads: Readonly<Record<string, object>>;
}

const textOf = (name: string): Promise<string> => readFile(new URL(name, FOLDER), 'utf8');
const names = (await readdir(FOLDER)).flatMap((name) => /^([a-z-]+)\.yaml$/.exec(name)?.[1] ?? []);

it('the example configurations are fitness, forum, shop and study-app', () =>
  expect(names).toEqual(['fitness', 'forum', 'shop', 'study-app']));

describe.each(names)('the example configuration %s', (name) => {
  it('gives the expected reads that are stored beside it', async () => {
    const { now, reads } = parse(await textOf(`${name}.reads.yaml`)) as ExpectedReads;
    const clock: Clock = { now: () => Date.parse(now), elapsedMs: () => 0, after: () => () => undefined };
    const served = await serveOnFreshDatabase(await textOf(`${name}.yaml`), clock);
    try {
      const ask = askOf(() => served);
      const events = (await textOf(`${name}.history.ndjson`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      const { answer } = await ask<{ results: readonly BatchResult[] }>('/admin/v1/metrics/events', { events });
      expect(answer.results.map(({ status }) => status)).toEqual(events.map(() => 201));
      expect((await ask('/admin/v1/imports/finish', {})).status).toBe(200);
      const answers: Record<string, unknown> = {};
      for (const path of Object.keys(reads)) answers[path] = (await ask(path)).answer;
      expect(answers).toMatchObject(reads);
    } finally {
      await served.close();
    }
  });
});
