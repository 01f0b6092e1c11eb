import { newMessage, type ChainMessage, type Configuration, type Occasion, type Subject } from '@laurel/kernel';
import { type AnyUserArea, userKey, type UserRef } from '../folding/document.ts';
import { subjectOf } from '@laurel/testing/subjects';
import { tallyArea } from '@laurel/testing/projections';
import { START } from './checkpoint.ts';
import { tracingArea } from './tracing-area.fixture.ts';
import { UserProjection } from './user-projection.ts';

const BOUND = 200_000;
const configuration = { version: 1 } as Configuration;

/** An area whose state is a text of 10,000 characters that no other user has. */
const area = {
  name: 'users',
  tables: [],
  needs: [],
  initial: () => ({ text: '' }),
  draft: (state: object) => ({ ...state }),
  apply: (draft: { text: string }, { subject }: Occasion) => {
    draft.text = String(subject).padEnd(10_000, '.');
  },
  answerPart: () => ({}),
  rows: () => new Map(),
  encode: ({ text }: { readonly text: string }) => text,
  decode: (text: unknown) => ({ text }),
} as unknown as AnyUserArea;

const message = (subject: Subject, position = 1): ChainMessage =>
  newMessage({
    ...{ eventId: 'e', account: 'default', configurationVersion: 1, occurredAt: 0, recordedAt: 0, position },
    fact: { type: 'UserSwept', subject, place: 0 },
  });

function open() {
  const read: Subject[] = [];
  const projection = new UserProjection({
    areasBySchema: [[area]],
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

describe('the cached users of a partition', () => {
  const users = Array.from({ length: 100 }, (_, index) => subjectOf(`u${index}`));

  it('are the most recently used ones that fit into the memory limit', async () => {
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
  it('is named with account and area when a message halts the partition', async () => {
    const user = { account: 'default', subject: subjectOf('ada') };
    const projection = new UserProjection({
      areasBySchema: [[tallyArea('users'), tallyArea('streaks')]],
      partition: 0,
      readStates: () => Promise.resolve(new Map([[userKey(user), { users: { count: 1, sum: '1' }, streaks: {} }]])),
      cachedUserBytes: 1,
    });
    const adas = message(subjectOf('ada'));
    const batch = projection.begin(START);
    await batch.load([adas]);
    expect(() => batch.apply(adas, configuration, configuration)).toThrow(
      `the stored streaks state of subject ${user.subject} of account default is damaged: streaks cannot read its state`,
    );
  });
});

describe('a message that an area cannot apply', () => {
  const ada = subjectOf('ada');

  /** One partition that applies what it can. */
  async function applied(positions: readonly number[], refused: readonly number[]) {
    const areas = [
      tracingArea('users', () => false),
      tracingArea('points', ({ position }) => refused.includes(position)),
    ];
    const readStates = () => Promise.resolve(new Map());
    const projection = new UserProjection({ areasBySchema: [areas], partition: 0, readStates, cachedUserBytes: BOUND });
    const batch = projection.begin(START);
    const messages = positions.map((position) => message(ada, position));
    await batch.load(messages);
    const made: ChainMessage[] = [];
    for (const one of messages)
      if (refused.includes(one.record.position))
        expect(() => batch.apply(one, configuration, configuration)).toThrow(`cannot apply ${one.record.position}`);
      else made.push(await batch.apply(one, configuration, configuration));
    return { changes: batch.changes(), made };
  }

  it('leaves the batch as it was, however many areas had applied it', async () => {
    expect(await applied([1, 2, 3, 4, 5], [2, 4])).toEqual(await applied([1, 3, 5], []));
  });

  it('leaves nothing stored for a user whose first message it is', async () => {
    const { changes } = await applied([1], [1]);
    expect(changes.map(({ states }) => states)).toEqual([[]]);
    expect(changes.flatMap(({ rows }) => [...rows.values()].flat())).toEqual([]);
  });
});

it('a user projection refuses contributions, which are for leaderboards', () => {
  const projection = new UserProjection({
    areasBySchema: [[tallyArea('users')]],
    partition: 0,
    readStates: () => Promise.resolve(new Map()),
    cachedUserBytes: 1,
  });
  const contributions = {
    ...{ account: 'default', configurationVersion: 1, subject: subjectOf('ada'), position: 1 },
    ...{ recordedAt: null, changes: [], answer: null },
  };
  const batch = projection.begin(START);
  expect(() => batch.apply(contributions, configuration, configuration)).toThrow('the message is for leaderboards');
  expect(batch.changes()[0]?.states).toEqual([]);
});

describe('the message that is sent on', () => {
  it('holds all effects so far, the user as updated, and answer parts if someone waits for them', async () => {
    const areas = [tracingArea('users', () => false), tracingArea('points', () => false)];
    const readStates = () => Promise.resolve(new Map());
    const batch = new UserProjection({ areasBySchema: [areas], partition: 0, readStates, cachedUserBytes: 1 }).begin(
      START,
    );
    const swept = message(subjectOf('ada'));
    const fact = { type: 'UserIdentified', subject: subjectOf('ada'), user: {} } as const;
    const before = newMessage({ ...swept.record, fact });
    await batch.load([before]);
    const after = await batch.apply(before, configuration, configuration);
    expect(after).toMatchObject({ record: before.record, areas: ['users', 'points'], user: { createdAt: 1 } });
    expect(after.effects.map((effect) => effect.type === 'AchievementCompleted' && effect.achievement)).toEqual([
      expect.stringMatching(/^users /),
      expect.stringMatching(/^points /),
    ]);
    expect(Object.keys(after.sections)).toEqual(['users', 'points']);
    expect(before).toMatchObject({ areas: [], user: null, effects: [], sections: {} });
    expect((await batch.apply(swept, configuration, configuration)).sections).toEqual({});
  });
});
