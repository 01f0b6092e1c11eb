import { TOPICS } from '@laurel/ports';
import { assertWhole } from './assert-whole.ts';

const topicFrom = (...starts: readonly number[]) => ({
  bounds: () => Promise.resolve(starts.map((start) => ({ start, end: 9 }))),
});

describe('the input of a replay', () => {
  it('is accepted when its first messages still exist', async () => {
    await expect(assertWhole(topicFrom(0, 0), TOPICS.streaks)).resolves.toBeUndefined();
  });

  it('is refused when messages were deleted, and the error names the process that can resend them', async () => {
    await expect(assertWhole(topicFrom(0, 4), TOPICS.streaks)).rejects.toThrow(
      'messages before offset 4 of partition 1 of laurel.2.streaks were deleted: run resend of streak-service first',
    );
    await expect(assertWhole(topicFrom(9), TOPICS.log)).rejects.toThrow('run resend of ingestion-gateway first');
  });
});
