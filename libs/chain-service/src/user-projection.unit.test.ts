import type { ChainMessage, Configuration, Subject } from '@laurel/contracts';
import { userKey, type AnyUserArea, type UserRef } from '@laurel/projections';
import { subjectOf } from '@laurel/testing/subjects';
import { tallyArea } from '@laurel/testing/projections';
import { START } from './checkpoint.ts';
import { UserProjection } from './user-projection.ts';

const BOUND = 200_000;
const configuration = {} as Configuration;

/** An area whose state is a text of 10,000 characters that no other user has. */
const area = {
  name: 'users',
  tables: [],
  initial: () => '',
  project: (_: unknown, { record }: ChainMessage) => ({
    state: String(record.fact.subject).padEnd(10_000, '.'),
    section: {},
    rows: new Map(),
  }),
  encode: (state: unknown) => state,
  decode: (json: unknown) => json,
} as unknown as AnyUserArea;

const message = (subject: Subject) => ({ record: { account: 'a', fact: { subject } } }) as unknown as ChainMessage;

function open() {
  const read: Subject[] = [];
  const projection = new UserProjection({
    areas: [area],
    partition: 0,
    readStates: (users: readonly UserRef[]) => {
      read.push(...users.map(({ subject }) => subject));
      return Promise.resolve(new Map());
    },
    cachedUserBytes: BOUND,
  });
  const apply = async (subjects: readonly Subject[]) => {
    const batch = projection.begin(START);
    await batch.load(subjects.map(message));
    for (const subject of subjects) await batch.apply(message(subject), configuration, configuration);
    batch.changes();
    batch.publish();
  };
  return { apply, read };
}

describe('the users of a partition in memory', () => {
  const users = Array.from({ length: 100 }, (_, index) => subjectOf(`u${index}`));

  it('are those last used that fit into the bound in bytes', async () => {
    const { apply, read } = open();
    await apply(users);
    read.splice(0);
    await apply(users.slice(-19));
    expect(read).toEqual([]);
    await apply(users.slice(0, 5));
    expect(read).toEqual(users.slice(0, 5));
  });
});

describe('a user whose stored state is damaged', () => {
  it('is named with account and area where their message stops the partition', async () => {
    const user = { account: 'default', subject: subjectOf('ada') };
    const projection = new UserProjection({
      areas: [tallyArea('users'), tallyArea('streaks')],
      partition: 0,
      readStates: () => Promise.resolve(new Map([[userKey(user), { users: { count: 1, sum: '1' }, streaks: {} }]])),
      cachedUserBytes: 1,
    });
    const adas = { record: { account: 'default', fact: { subject: subjectOf('ada') } } } as ChainMessage;
    const batch = projection.begin(START);
    await batch.load([adas]);
    expect(() => batch.apply(adas, configuration, configuration)).toThrow(
      `the stored streaks state of subject ${user.subject} of account default is damaged: streaks cannot read its state`,
    );
  });
});
