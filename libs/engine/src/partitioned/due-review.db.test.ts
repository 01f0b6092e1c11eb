import type { Configuration } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type pg from 'pg';
import { DueReview } from './due-review.ts';
import { chainServiceMigrations } from './migrations.ts';

const configurationOf = (version: number) => ({ account: 'default', version }) as Configuration;
const PARTITIONS = Array.from({ length: 1_000 }, (_, partition) => partition);

let database: TestDatabase;
let statements = 0;
let review: DueReview;

beforeAll(async () => {
  database = await openTestDatabase(chainServiceMigrations(['users']));
  const query = <R extends pg.QueryResultRow>(_name: string, text: string, values: readonly unknown[]) => {
    statements++;
    return database.sql.query<R>(text, values);
  };
  review = new DueReview({ query }, []);
});
afterAll(() => database.close());

it('DueReview finds all partitions not reviewed since a publication with one statement', async () => {
  expect(await review.unreviewed(configurationOf(1), PARTITIONS)).toEqual(PARTITIONS);
  for (const partition of [3, 7]) await review.setReviewed('default', partition, 1);
  await review.setReviewed('another', 5, 1);
  statements = 0;
  const expected = PARTITIONS.filter((partition) => ![3, 7].includes(partition));
  expect(await review.unreviewed(configurationOf(1), PARTITIONS)).toEqual(expected);
  expect(statements).toBe(1);
  expect(await review.unreviewed(configurationOf(1), [7, 8])).toEqual([8]);
  expect(await review.unreviewed(configurationOf(2), [7, 8])).toEqual([7, 8]);
});
