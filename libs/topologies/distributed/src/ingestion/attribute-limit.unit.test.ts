import { StoreUnavailableError, userKey, type Command, type KeyHash, type Subject } from '@laurel/kernel';
import { keyHashOf, type UsedKey } from '@laurel/event-store';
import { subjectOf } from '@laurel/testing/subjects';
import { commandsOverLimit, type AttributeLimitParts } from './attribute-limit.ts';

const numbered = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, 'v'] as const));

const event = (user: string, attributes?: ReadonlyMap<string, string | null>, key: string | null = null): Command => ({
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf(user),
  metric: 'commits',
  value: 1_000_000n,
  user: attributes === undefined ? {} : { attributes },
  attributes: new Map(),
  keyHash: key === null ? null : hashOf(user, key),
  occurredAt: null,
});

const hashOf = (user: string, key: string): KeyHash =>
  keyHashOf({ account: 'default', subject: subjectOf(user), metric: 'commits', key });

const usedBy = (keyHash: KeyHash): UsedKey => ({
  account: 'default',
  subject: subjectOf('ann'),
  keyHash,
  eventId: 'e',
  position: 1,
  occurredAt: 0,
});

/** Users who are stored with so many attributes, and keys that ann has used. */
function parts(stored: Readonly<Record<string, number>>, usedKeys: readonly string[] = []) {
  const asked: Subject[] = [];
  const used = new Set(usedKeys.map((key) => hashOf('ann', key)));
  const found: AttributeLimitParts = {
    users: {
      attributesOf: (users) => {
        asked.push(...users.map(({ subject }) => subject));
        return Promise.resolve(
          new Map(
            Object.entries(stored).map(([id, count]) => [
              userKey({ account: 'default', subject: subjectOf(id) }),
              numbered(1, count),
            ]),
          ),
        );
      },
    },
    store: {
      findKeys: (hashes) => Promise.resolve(hashes.filter((hash) => used.has(hash)).map(usedBy)),
    },
  };
  return { found, asked };
}

describe('the attribute limit before the log', () => {
  it('turns away what leaves a stored user with more than 50, and nothing else', async () => {
    const commands = [event('ann', numbered(1, 50)), event('ann', numbered(51, 51)), event('bob', numbered(1, 50))];
    const over = await commandsOverLimit(commands, parts({ ann: 50 }).found);
    expect(commands.map((command) => over.has(command))).toEqual([false, true, false]);
  });

  it('counts what the commands before it in the same call add', async () => {
    const commands = [event('ann', numbered(1, 30)), event('ann', numbered(31, 50)), event('ann', numbered(51, 60))];
    const over = await commandsOverLimit(commands, parts({}).found);
    expect(commands.map((command) => over.has(command))).toEqual([false, false, true]);
  });

  it('lets a command pass whose key was used: it is a replay', async () => {
    const commands = [event('ann', numbered(51, 52), 'used'), event('ann', numbered(51, 52), 'fresh')];
    const over = await commandsOverLimit(commands, parts({ ann: 50 }, ['used']).found);
    expect(commands.map((command) => over.has(command))).toEqual([false, true]);
  });

  it('lets a command pass whose key a command before it in the same call uses', async () => {
    const commands = [
      event('ann', numbered(50, 50), 'twice'),
      event('ann', numbered(51, 51), 'twice'),
      event('ann', numbered(51, 51), 'once'),
    ];
    const over = await commandsOverLimit(commands, parts({ ann: 49 }).found);
    expect(commands.map((command) => over.has(command))).toEqual([false, false, true]);
  });

  it('lets a command pass whose key was first used by one without attributes', async () => {
    const commands = [event('ann', undefined, 'twice'), event('ann', numbered(51, 51), 'twice')];
    expect(await commandsOverLimit(commands, parts({ ann: 50 }).found)).toEqual(new Set());
  });

  it('turns away both commands with one key if both are over the limit', async () => {
    const commands = [event('ann', numbered(51, 51), 'twice'), event('ann', numbered(51, 51), 'twice')];
    const over = await commandsOverLimit(commands, parts({ ann: 50 }).found);
    expect(commands.map((command) => over.has(command))).toEqual([true, true]);
  });

  it('does not count what a replay would add', async () => {
    const commands = [event('ann', numbered(50, 50), 'used'), event('ann', numbered(51, 51))];
    expect(await commandsOverLimit(commands, parts({ ann: 49 }, ['used']).found)).toEqual(new Set());
  });

  it('counts what a command before it removes', async () => {
    const commands = [event('ann', new Map([['k1', null]])), event('ann', numbered(51, 51))];
    expect(await commandsOverLimit(commands, parts({ ann: 50 }).found)).toEqual(new Set());
  });

  it('reads nothing for commands that add no attribute', async () => {
    const { found, asked } = parts({ ann: 60 });
    const commands = [event('ann'), event('ann', new Map([['k1', null]]))];
    expect(await commandsOverLimit(commands, found)).toEqual(new Set());
    expect(asked).toEqual([]);
  });

  it('lets everything pass while the state cannot be read', async () => {
    const users = { attributesOf: () => Promise.reject(new StoreUnavailableError('unreachable')) };
    const commands = [event('ann', numbered(1, 51))];
    expect(await commandsOverLimit(commands, { ...parts({}).found, users })).toEqual(new Set());
  });
});
