import type { AreaName, UserCommand, CommandResult } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import { historyOf, sampleConfiguration, MemoryDirectory } from '@laurel/testing/http-modules';
import { NEW_PROFILE } from '@laurel/profile';
import type { ApiCall } from '@laurel/runtime';
import type { IngestionPorts } from './ports.ts';
import { identifyUser, updateUser } from './user-requests.ts';

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
  attributeHashes: new Map(),
  totals: new Map(),
};

/** Doors behind which whatever is recorded is in the log, but the user as yet reads as `known`. */
function calls(known: UserProfile | null, pending: readonly AreaName[]) {
  const recorded: UserCommand[] = [];
  const record = (command: UserCommand): CommandResult => {
    recorded.push(command);
    return { kind: 'recorded', eventId: 'e', position: 1, occurredAt: NOW, configuration, sections: {}, pending };
  };
  const ports = {
    directory: new MemoryDirectory('ada'),
    intake: { submit: (commands: readonly UserCommand[]) => Promise.resolve(commands.map(record)) },
    configuration: () => historyOf(configuration),
    users: { find: () => Promise.resolve(known) },
    composeUserAnswer: (id: string, profile: UserProfile) => ({ id, ...profile }),
  } as unknown as IngestionPorts;
  return { ports, recorded };
}

/** A call about ada, and the status that it is answered with. */
function callWith(body: object) {
  let status: number | undefined;
  const call = {
    account: 'default',
    path: { id: 'ada' },
    request: { body },
    reply: { code: (code: number) => (status = code) },
  } as unknown as ApiCall<'id'>;
  return { call, status: () => status };
}

describe('a user whose call is recorded but not yet applied', () => {
  it('is answered as the call will create them', async () => {
    const { ports, recorded } = calls(null, ['users', 'streaks']);
    const { call, status } = callWith({ id: 'ada', name: 'Ada', attributes: { a: 'b' } });
    const user = await identifyUser(ports, call);
    expect(recorded).toHaveLength(1);
    expect(status()).toBe(201);
    const attributes = new Map([['a', 'b']]);
    expect(user).toMatchObject({ id: 'ada', name: 'Ada', email: null, tz: null, attributes, createdAt: NOW });
  });

  it('is answered as the call will change them', async () => {
    const { ports } = calls(ADA, ['users']);
    const body = {
      email: 'ada@example.org',
      tz: null,
      subscribeToEmails: false,
      attributes: { plan: null, size: 's' },
    };
    const user = await updateUser(ports, callWith(body).call, 'refuse');
    expect(user).toEqual({
      id: 'ada',
      ...ADA,
      email: 'ada@example.org',
      tz: null,
      subscribeToEmails: false,
      attributes: new Map([['size', 's']]),
    });
  });

  it('is answered as stored once the stored profile includes the call', async () => {
    const { ports } = calls(ADA, ['points']);
    expect(await updateUser(ports, callWith({ name: 'Eve' }).call, 'create')).toEqual({ id: 'ada', ...ADA });
    const { call, status } = callWith({ id: 'ada', name: 'Eve' });
    await identifyUser(ports, call);
    expect(status()).toBe(200);
  });
});
