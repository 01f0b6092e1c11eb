import type { AreaName, Command, Outcome } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import { historyOf, sampleConfiguration, MemoryDirectory } from '@laurel/testing/doors';
import { NEW_PROFILE } from '@laurel/profile';
import type { IngestionPorts } from './ports.ts';
import { identifyUser, updateUser } from './users-door.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const configuration = sampleConfiguration('default');

const ADA: UserProfile = {
  ...NEW_PROFILE,
  name: 'Ada',
  email: null,
  tz: 'Europe/Berlin',
  attributes: new Map([
    ['plan', 'pro'],
    ['size', 'xl'],
  ]),
  createdAt: 1,
  updatedAt: 2,
  totals: new Map(),
};

/** Doors behind which whatever is recorded is in the log, but the user as yet reads as `known`. */
function doors(known: UserProfile | null, pending: readonly AreaName[]) {
  const recorded: Command[] = [];
  const record = (command: Command): Outcome => {
    recorded.push(command);
    return { kind: 'recorded', eventId: 'e', position: 1, occurredAt: NOW, configuration, sections: {}, pending };
  };
  const ports = {
    directory: new MemoryDirectory('ada'),
    intake: { submit: (commands: readonly Command[]) => Promise.resolve(commands.map(record)) },
    configuration: () => historyOf(configuration),
    users: { find: () => Promise.resolve(known) },
    composeUserAnswer: (id: string, profile: UserProfile) => ({ id, ...profile }),
  } as unknown as IngestionPorts;
  return { ports, recorded };
}

describe('a user whose call is recorded and not yet applied', () => {
  it('is answered as the call will make them: known to nobody', async () => {
    const { ports, recorded } = doors(null, ['users', 'streaks']);
    const { created, user } = await identifyUser(ports, 'default', { id: 'ada', name: 'Ada', attributes: { a: 'b' } });
    expect(recorded).toHaveLength(1);
    expect(created).toBe(true);
    const attributes = new Map([['a', 'b']]);
    expect(user).toMatchObject({ id: 'ada', name: 'Ada', email: null, tz: null, attributes, createdAt: NOW });
  });

  it('is answered as the call will make them: known before', async () => {
    const { ports } = doors(ADA, ['users']);
    const body = {
      email: 'ada@example.org',
      tz: null,
      subscribeToEmails: false,
      attributes: { plan: null, size: 's' },
    };
    const user = await updateUser(ports, 'default', 'ada', body, 'refuse');
    expect(user).toEqual({
      id: 'ada',
      ...ADA,
      email: 'ada@example.org',
      tz: null,
      subscribeToEmails: false,
      attributes: new Map([['size', 's']]),
    });
  });

  it('is answered as they are read once that is certain to show the call', async () => {
    const { ports } = doors(ADA, ['points']);
    expect(await updateUser(ports, 'default', 'ada', { name: 'Eve' }, 'create')).toEqual({ id: 'ada', ...ADA });
    expect((await identifyUser(ports, 'default', { id: 'ada', name: 'Eve' })).created).toBe(false);
  });
});
