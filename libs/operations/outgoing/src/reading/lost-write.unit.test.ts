import type { ConfigurationHistory, RecordedEvent } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { OutcomeReader } from './outcome-reader.ts';
import { outcomesInMemory } from './outcomes-in-memory.fixture.ts';

const CONFIGURATION = { outgoing: { types: new Set(['user.created']), keepMs: 1_000, announceTop: 10 } };
const HISTORY = { current: CONFIGURATION, at: () => CONFIGURATION } as unknown as ConfigurationHistory;
const RECORD = {
  account: 'default',
  position: 1,
  configurationVersion: 1,
  fact: { type: 'ConfigurationPublished', version: 1 },
} as unknown as RecordedEvent;

it('the outcome reader deletes outcomes of erased users again after a write whose answer was lost', async () => {
  const clock = new ManualClock();
  const { store, setCursor } = outcomesInMemory();
  let looks = 0;
  let lost = true;
  const reader = new OutcomeReader(
    {
      store: {
        ...store,
        forgetErased: async () => {
          looks++;
          return true;
        },
        write: async (account, step) => {
          if (lost) throw new Error('the database cannot be reached');
          return store.write(account, step);
        },
      },
      log: {
        read: async (after) => [RECORD].slice(after),
        readAccountEvents: async () => [RECORD],
        readAdministrativeBehind: async () => [],
        head: async () => 1,
      },
      caused: async () => [],
      runs: async () => [],
      finalRuns: async () => [],
      configurations: () => HISTORY,
      applied: () => 1,
      oldestNeeded: async () => null,
      clock,
      onFailure: () => undefined,
    },
    'default',
  );
  setCursor(0);
  reader.wake();
  await clock.advance(0);
  expect(looks).toBe(1);
  lost = false;
  await reader.forget({ account: 'default', subject: 7 });
  reader.wake();
  await clock.advance(1_000);
  expect(looks).toBe(2);
  reader.wake();
  await clock.advance(1_000);
  expect(looks).toBe(2);
});
