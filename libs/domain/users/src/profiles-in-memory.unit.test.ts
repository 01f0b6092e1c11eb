import type { Subject } from '@laurel/kernel';
import { profilesInMemory } from './profiles-in-memory.ts';
import { ACCOUNT, live } from './users.fixture.ts';

const { states, users } = live([
  { at: '2026-03-01T12:00:00Z', user: 'ada', value: '2', tz: 'Asia/Tokyo', attributes: new Map([['plan', 'pro']]) },
  { at: '2026-03-02T12:00:00Z', user: 'ada', said: { name: 'Ada', subscribeToEmails: false } },
  { at: '2026-03-02T13:00:00Z', user: 'bob', value: '1' },
  { at: '2026-03-02T14:00:00Z', user: 'cem', value: '1' },
]);
const [ada, bob, cem] = [...users.keys()] as [Subject, Subject, Subject];

/** @param held whose states are in memory */
async function read(held: readonly Subject[]) {
  const asked: (readonly Subject[])[] = [];
  const profiles = profilesInMemory(
    ({ subject }) => (held.includes(subject) ? states.get(subject)?.state : undefined),
    async (_, subjects) => {
      asked.push(subjects);
      return new Map([...users].filter(([subject]) => subjects.includes(subject)));
    },
  );
  return { profiles: await profiles(ACCOUNT, [ada, bob, cem]), asked };
}

describe('profilesInMemory', () => {
  it('reads from the database only the profiles that are not in memory', async () => {
    const { profiles, asked } = await read([ada, cem]);
    expect(asked).toEqual([[bob]]);
    expect([...profiles.keys()].sort()).toEqual([ada, bob, cem].sort());
    for (const [subject, profile] of profiles) {
      const {
        totals: _,
        attributeHashes: __,
        ...stored
      } = users.get(subject) ?? { totals: null, attributeHashes: null };
      expect(profile).toMatchObject(stored);
    }
  });

  it('reads nothing from the database if all profiles are in memory', async () => {
    const { profiles, asked } = await read([ada, bob, cem]);
    expect([profiles.size, asked]).toEqual([3, []]);
  });
});
