import type { Configuration } from '@laurel/kernel';
import { createSuggest } from '@laurel/schemas';
import { readItem, readItemsInSteps } from './batch.ts';

const configuration = { metricByKey: new Map([['runs', { key: 'runs' }]]) } as unknown as Configuration;
const context = { account: 'default', by: 'a-key', configuration, now: 0, suggest: createSuggest() };
const readOne = (item: unknown, index: number) => readItem(item, index, context);
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ metric: 'runs', user: { id: `u${index}` }, value: index }));

describe('readItemsInSteps', () => {
  it('yields to other requests every twenty items', async () => {
    let turns = 0;
    const read = await readItemsInSteps(items(1_000), readOne, () => Promise.resolve(turns++));
    expect(read.map(({ type, index }) => [type, index])).toEqual(items(1_000).map((_, index) => ['valid', index]));
    expect(turns).toBe(49);
  });

  it('does not yield for a small batch', async () => {
    let turns = 0;
    await readItemsInSteps(items(20), readOne, () => Promise.resolve(turns++));
    expect(turns).toBe(0);
  });

  it('stops before the item at which the reader says so', async () => {
    const read = await readItemsInSteps(items(5), (item, index) => (index === 2 ? null : readOne(item, index)));
    expect(read.map(({ index }) => index)).toEqual([0, 1]);
  });
});
