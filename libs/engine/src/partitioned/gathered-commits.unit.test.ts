import { StoreUnavailableError } from '@laurel/kernel';
import { START } from './checkpoint.ts';
import { GatheredCommits } from './gathered-commits.ts';
import type { PartitionCommit } from './partition-store.ts';

const commitOf = (partition: number, rows = 1): PartitionCommit => ({
  partition,
  before: START,
  after: { ...START, nextOffset: 1 },
  changes: [{ states: [], rows: new Map([['notes', Array.from({ length: rows }, () => ({}))]]) }],
});

/** Answers of the database, statement by statement; null: all have moved. */
function batching(...answers: readonly (readonly number[] | Error | null)[]) {
  const statements: number[][] = [];
  const commits = new GatheredCommits((together) => {
    const answer = answers[statements.length] ?? null;
    const partitions = together.map(({ partition }) => partition);
    statements.push(partitions);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(new Set(answer ?? partitions));
  });
  return { commits, statements };
}

const outcomesOf = (commits: GatheredCommits, partitions: readonly number[]) =>
  Promise.allSettled(partitions.map((partition) => commits.add(commitOf(partition))));

it('GatheredCommits sends what arrives within one turn as one statement, and later commits as another', async () => {
  const { commits, statements } = batching();
  const first = Promise.all([commits.add(commitOf(0)), Promise.resolve().then(() => commits.add(commitOf(2)))]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await Promise.all([first, commits.add(commitOf(1))])).toEqual([[true, true], true]);
  expect(statements).toEqual([[0, 2], [1]]);
});

it('GatheredCommits resolves each commit with the outcome of its own partition', async () => {
  const { commits } = batching([3]);
  const outcomes = await outcomesOf(commits, [1, 3]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: false },
    { status: 'fulfilled', value: true },
  ]);
});

it('GatheredCommits commits partitions one by one if the database refuses one of them', async () => {
  const refused = new Error('invalid input syntax');
  const { commits, statements } = batching(refused, null, refused, null);
  const outcomes = await outcomesOf(commits, [0, 1, 2]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: true },
  ]);
  expect(statements).toEqual([[0, 1, 2], [0], [1], [2]]);
});

it('GatheredCommits retries nothing if the outcome of a statement is unknown', async () => {
  const gone = new StoreUnavailableError('gone');
  const { commits, statements } = batching(gone);
  const outcomes = await outcomesOf(commits, [0, 1]);
  expect(outcomes).toEqual([
    { status: 'rejected', reason: gone },
    { status: 'rejected', reason: gone },
  ]);
  expect(statements).toHaveLength(1);
});

it('GatheredCommits sends nothing more if the database becomes unavailable during one-by-one commits', async () => {
  const gone = new StoreUnavailableError('gone');
  const { commits, statements } = batching(new Error('invalid input syntax'), null, gone);
  const outcomes = await outcomesOf(commits, [0, 1, 2]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: gone },
    { status: 'rejected', reason: gone },
  ]);
  expect(statements).toEqual([[0, 1, 2], [0], [1]]);
});

it('GatheredCommits gathers further commits while three statements are in flight', async () => {
  const statements: { partitions: number[]; answer: () => void }[] = [];
  const commits = new GatheredCommits(
    (together) =>
      new Promise((resolve) => {
        const partitions = together.map(({ partition }) => partition);
        statements.push({ partitions, answer: () => resolve(new Set(partitions)) });
      }),
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const all: Promise<boolean>[] = [];
  for (let partition = 0; partition < 6; partition++) {
    all.push(commits.add(commitOf(partition)));
    await turn();
  }
  expect(statements.map(({ partitions }) => partitions)).toEqual([[0], [1], [2]]);
  statements[1]?.answer();
  await turn();
  expect(statements[3]?.partitions).toEqual([3, 4, 5]);
  for (const { answer } of statements) answer();
  expect(await Promise.all(all)).toEqual(Array(6).fill(true));
});

it('GatheredCommits limits the rows of a statement, and puts each partition into it once', async () => {
  const { commits, statements } = batching();
  const given = [commitOf(0, 12_000), commitOf(1, 8_000), commitOf(2), commitOf(2), commitOf(3, 50_000), commitOf(4)];
  await Promise.all(given.map((commit) => commits.add(commit)));
  expect(statements).toEqual([[0, 1], [2], [2], [3], [4]]);
});
