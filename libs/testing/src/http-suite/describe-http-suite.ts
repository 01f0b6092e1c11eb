import { describe } from '@jest/globals';
import { describeAmounts } from './amounts.ts';
import { describeAudit } from './audit.ts';
import { Client, type HttpSuiteTarget } from './client.ts';
import { describeConditions } from './conditions.ts';
import { describeDescription } from './description.ts';
import { describeErrors } from './errors.ts';
import { describeExports } from './exports.ts';
import { describeFields } from './fields.ts';
import { describeFurtherSummaries, describeFurtherWrites } from './further.ts';
import { describeGrants } from './grants.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeImports } from './imports.ts';
import { describeKeys } from './keys.ts';
import { describeLeaderboards } from './leaderboards.ts';
import { describeSpends } from './spends.ts';
import { describeStreaks } from './streaks.ts';
import { describeTexts } from './texts.ts';

/**
 * Tests a server against the specification, over HTTP only. The server was started with `HTTP_SUITE_CONFIGURATION`
 * before its first event. The suite may run repeatedly on the same server, because each test has its own users.
 * `target` is called when the tests run.
 */
export function describeHttpSuite(target: () => HttpSuiteTarget): void {
  const client = new Client(target);
  describe('over HTTP', () => {
    describeFields(client);
    describeErrors(client);
    describeKeys(client);
    describeIdempotency(client);
    describeAmounts(client);
    describeStreaks(client);
    describeLeaderboards(client);
    describeImports(client);
    describeGrants(client);
    describeSpends(client);
    describeConditions(client);
    describeAudit(client);
    describeExports(client);
    describeFurtherWrites(client);
    describeFurtherSummaries(client);
    describeTexts(client);
    describeDescription(client);
  });
}
