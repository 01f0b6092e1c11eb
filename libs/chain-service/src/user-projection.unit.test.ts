import type { ChainMessage, Configuration } from '@laurel/contracts';
import { userKey } from '@laurel/projections';
import { tallyArea } from '@laurel/testing';
import type { Checkpoint } from './checkpoint.ts';
import { UserProjection } from './user-projection.ts';

describe('a user whose stored state is damaged', () => {
  it('is named with account and area where their message stops the partition', async () => {
    const user = { account: 'default', userId: 'ada' };
    const projection = new UserProjection({
      areas: [tallyArea('users'), tallyArea('streaks')],
      partition: 0,
      readStates: () => Promise.resolve(new Map([[userKey(user), { users: { count: 1, sum: '1' }, streaks: {} }]])),
      cachedUsers: 1,
    });
    const message = { record: { account: 'default', fact: { userId: 'ada' } } } as ChainMessage;
    const batch = projection.begin({} as Checkpoint);
    await batch.load([message]);
    const configuration = {} as Configuration;
    expect(() => batch.apply(message, configuration, configuration)).toThrow(
      'the stored streaks state of user "ada" of account default is damaged: streaks cannot read its state',
    );
  });
});
