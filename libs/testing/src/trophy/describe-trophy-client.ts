import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Exchange, HttpSuiteTarget, Json } from '../http-suite/client.ts';
import { FROZEN_FIELDS } from '../http-suite/frozen-fields.ts';
import { describeDrivenClient } from './describe-driven-client.ts';
import { BESIDE_THE_CLIENT, SHAPES, UNUSED_FIELDS } from './known-differences.ts';
import { pathnameOf, replayThroughClient, type Replays } from './replay-through-client.ts';
import { TROPHY_ROUTES, findTrophyRoute } from './trophy-routes.ts';
import { rawFields, strictDifferences } from './trophy-schemas.ts';

/**
 * Tests a server with `HTTP_SUITE_CONFIGURATION` against the newest TypeScript client of the API that Laurel follows.
 * First runs the client against the server, then gives it every answer that the HTTP suite got (`exchanges`, called
 * when these tests run).
 */
export function describeTrophyClient(target: () => HttpSuiteTarget, exchanges: () => readonly Exchange[]): void {
  describe('the newest client of this API', () => {
    describeDrivenClient(target);
    describeReplays(exchanges);
    describeFields();
  });
}

function describeReplays(exchanges: () => readonly Exchange[]): void {
  describe('with every answer of the HTTP suite', () => {
    let replays: Replays;
    beforeAll(async () => {
      replays = await replayThroughClient(exchanges());
    });

    it('parses each, through its own method for that route', () => {
      expect(replays.failures).toEqual([]);
    });

    it('has been given a good answer of every route that it has', () => {
      expect([...replays.parsed].sort()).toEqual(TROPHY_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    });

    it('meets nothing that it does not know but what is listed', async () => {
      const found = (await Promise.all(exchanges().map(differencesOf))).flat();
      expect([...new Set(found)].sort()).toEqual([...BESIDE_THE_CLIENT].sort());
    });
  });
}

/** The differences of a successful answer; for a batch, those of the whole answers in it. */
async function differencesOf({ method, path, answer }: Exchange): Promise<readonly string[]> {
  const route = answer.status < 300 ? findTrophyRoute(method, pathnameOf(path))?.route : undefined;
  const batched: Json[] = answer.json?.results?.flatMap(({ body }: Json) => body ?? []) ?? [];
  const differences = await Promise.all([
    ...(route ? [strictDifferences(route.schema, answer.json)] : []),
    ...batched.map((body) => strictDifferences('EventResponse', body)),
  ]);
  return differences.flat();
}

function describeFields(): void {
  it('knows no field that our answers lack but what is listed', async () => {
    const unused = await Promise.all(
      [...SHAPES].map(async ([schema, shapes]) => {
        const ours = new Set<string>(shapes.flatMap((shape) => FROZEN_FIELDS[shape]));
        return (await rawFields(schema)).filter((field) => !ours.has(field)).map((field) => `${schema}.${field}`);
      }),
    );
    expect(unused.flat().sort()).toEqual([...UNUSED_FIELDS].sort());
  });
}
