import { USER_AREAS } from '@laurel/all-areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import {
  StoreUnavailableError,
  userKey,
  type UserCommand,
  type GiveGrant,
  type KeyHash,
  type Subject,
} from '@laurel/kernel';
import { keyHashOf, type UsedKey } from '@laurel/event-store';
import { subjectOf } from '@laurel/testing/subjects';
import { decideCommands, type DecidingDependencies } from './decide-commands.ts';
import { decidingDependencies } from './deciding.fixture.ts';
import { OwedAwards, type OwedAwardsDependencies } from './owed-awards.ts';

const numbered = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, 'v'] as const));

const event = (
  user: string,
  attributes?: ReadonlyMap<string, string | null>,
  key: string | null = null,
): UserCommand => ({
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
  eventId: `event of ${keyHash}`,
  position: 1,
  occurredAt: 0,
});

const storeWith = (hashes: readonly KeyHash[]): DecidingDependencies['store'] => ({
  findKeys: (asked) => Promise.resolve(asked.filter((hash) => hashes.includes(hash)).map(usedBy)),
});

/** `events`, `replay`, or why it is refused. */
async function decisions(
  commands: readonly UserCommand[],
  dependencies: DecidingDependencies,
): Promise<readonly string[]> {
  const decided = await decideCommands(commands, dependencies);
  return decided.map(({ decision }) => (decision.kind === 'refusal' ? decision.reason : decision.kind));
}

describe('the attribute limit before the log', () => {
  /** Users who are stored with so many attributes, and keys that ann has used. */
  function parts(stored: Readonly<Record<string, number>>, usedKeys: readonly string[] = []) {
    const asked: Subject[] = [];
    const attributesOf: DecidingDependencies['users']['attributesOf'] = (users) => {
      asked.push(...users.map(({ subject }) => subject));
      const found = Object.entries(stored).map(
        ([id, count]) => [userKey({ account: 'default', subject: subjectOf(id) }), numbered(1, count)] as const,
      );
      return Promise.resolve(new Map(found));
    };
    const store = storeWith(usedKeys.map((key) => hashOf('ann', key)));
    return { found: decidingDependencies({ users: { attributesOf }, store }), asked };
  }

  it('refuses exactly the commands that leave a stored user with more than 50 attributes', async () => {
    const commands = [event('ann', numbered(1, 50)), event('ann', numbered(51, 51)), event('bob', numbered(1, 50))];
    expect(await decisions(commands, parts({ ann: 50 }).found)).toEqual(['events', 'too_many_attributes', 'events']);
  });

  it('counts the attributes that earlier commands of the same call add', async () => {
    const commands = [event('ann', numbered(1, 30)), event('ann', numbered(31, 50)), event('ann', numbered(51, 60))];
    expect(await decisions(commands, parts({}).found)).toEqual(['events', 'events', 'too_many_attributes']);
  });

  it('answers a command whose key was used with the original', async () => {
    const commands = [event('ann', numbered(51, 52), 'used'), event('ann', numbered(51, 52), 'fresh')];
    const decided = await decideCommands(commands, parts({ ann: 50 }, ['used']).found);
    expect(decided).toMatchObject([
      { decision: { kind: 'replay' }, original: usedBy(hashOf('ann', 'used')) },
      { decision: { kind: 'refusal', reason: 'too_many_attributes' }, original: null },
    ]);
  });

  it('leaves to the log a command whose key an earlier command of the same call uses', async () => {
    const commands = [
      event('ann', numbered(50, 50), 'twice'),
      event('ann', numbered(51, 51), 'twice'),
      event('ann', numbered(51, 51), 'once'),
    ];
    expect(await decisions(commands, parts({ ann: 49 }).found)).toEqual(['events', 'events', 'too_many_attributes']);
  });

  it('leaves to the log a command whose key an earlier command without attributes uses', async () => {
    const commands = [event('ann', undefined, 'twice'), event('ann', numbered(51, 51), 'twice')];
    expect(await decisions(commands, parts({ ann: 50 }).found)).toEqual(['events', 'events']);
  });

  it('refuses both commands with one key when both exceed the limit', async () => {
    const commands = [event('ann', numbered(51, 51), 'twice'), event('ann', numbered(51, 51), 'twice')];
    const refused = ['too_many_attributes', 'too_many_attributes'];
    expect(await decisions(commands, parts({ ann: 50 }).found)).toEqual(refused);
  });

  it('does not count what a replay would add', async () => {
    const commands = [event('ann', numbered(50, 50), 'used'), event('ann', numbered(51, 51))];
    expect(await decisions(commands, parts({ ann: 49 }, ['used']).found)).toEqual(['replay', 'events']);
  });

  it('counts what an earlier command removes', async () => {
    const commands = [event('ann', new Map([['k1', null]])), event('ann', numbered(51, 51))];
    expect(await decisions(commands, parts({ ann: 50 }).found)).toEqual(['events', 'events']);
  });

  it('reads nothing for commands that add no attribute', async () => {
    const { found, asked } = parts({ ann: 60 });
    const commands = [event('ann'), event('ann', new Map([['k1', null]]))];
    expect(await decisions(commands, found)).toEqual(['events', 'events']);
    expect(asked).toEqual([]);
  });

  it('admits everything while the state is unreadable', async () => {
    const users = { attributesOf: () => Promise.reject(new StoreUnavailableError('unreachable')) };
    expect(await decisions([event('ann', numbered(1, 50))], decidingDependencies({ users }))).toEqual(['events']);
  });
});

describe('the limit of time awards before the log', () => {
  const NOW = Date.parse('2026-03-06T08:00:00Z');
  const HOUR = 3_600_000;
  const HOURLY = '{ type: time, unit: hour, interval: 1, points: 1 }';

  const configured = (points: string) => {
    const text = `version: 1\nmetrics: [{ key: lessons, name: Lessons }]\npoints: [{ key: xp, name: XP, ${points} }]`;
    const { document } = parseDocument(text, 'test');
    return compileHistory('default', [{ version: 1, document, publishedAt: NOW }]).current;
  };

  function limit(points = `triggers: [${HOURLY}]`, more: Partial<OwedAwardsDependencies> = {}) {
    const asked: Subject[] = [];
    const configuration = configured(points);
    const awards = new OwedAwards({
      userAreas: USER_AREAS,
      users: {
        known: (users) => {
          asked.push(...users.map(({ subject }) => subject));
          return Promise.resolve(new Set([userKey({ account: 'default', subject: subjectOf('known') })]));
        },
      },
      configuration: () => configuration,
      clock: { now: () => NOW },
      ...more,
    });
    const owed = async (...commands: UserCommand[]) => {
      const decided = await decideCommands(commands, decidingDependencies({ awards, clock: { now: () => NOW } }));
      return decided.flatMap(({ decision }) => (decision.kind === 'refusal' ? [decision.owed] : []));
    };
    return { asked, owed };
  }

  const line = (user: string, occurredAt: number | null = 0): UserCommand => ({
    ...(event(user) as Extract<UserCommand, { type: 'RecordMetricEvent' }>),
    metric: 'lessons',
    occurredAt,
  });

  it('refuses lines that would owe a new user more than 50,000 awards, with the number', async () => {
    const { owed } = limit();
    expect(await owed(line('ada'), line('bob', NOW - 50_000 * HOUR), line('known'), line('eve', null))).toEqual([
      Math.floor(NOW / HOUR),
    ]);
    expect(await owed(line('carl', NOW - 50_001 * HOUR))).toEqual([50_001]);
  });

  it('refuses no line when the cap leaves no awards due', async () => {
    const { owed } = limit(`maxPoints: 20, triggers: [{ type: user_creation, points: 20 }, ${HOURLY}]`);
    expect(await owed(line('ada'))).toEqual([]);
  });

  it('treats a user as known from the first accepted line on', async () => {
    const { owed, asked } = limit();
    expect(await owed(line('ada', NOW - HOUR), line('ada'), line('ada'))).toEqual([]);
    expect(await owed(line('ada'))).toEqual([]);
    expect(asked).toEqual([subjectOf('ada'), subjectOf('ada')]);
  });

  it('treats a user as known whom an event of the same call creates now', async () => {
    const { owed } = limit();
    expect(await owed(line('ada', null), line('ada'))).toEqual([]);
  });

  it('refuses the same line again, because nothing of it was recorded', async () => {
    const { owed } = limit();
    expect(await owed(line('ada'), line('ada'))).toHaveLength(2);
    expect(await owed(line('ada'))).toHaveLength(1);
  });

  it('refuses no line while users cannot be looked up', async () => {
    const known = () => Promise.reject(new StoreUnavailableError('away'));
    expect(await limit(undefined, { users: { known } }).owed(line('ada'))).toEqual([]);
  });
});

const importing = (...accounts: readonly string[]): Pick<DecidingDependencies, 'imports'> => {
  const isOpen = (account: string) => Promise.resolve(accounts.includes(account));
  return { imports: { goesOn: isOpen, isOpen } };
};

const naming: UserCommand = { type: 'IdentifyUser', account: 'default', subject: subjectOf('eve'), user: {} };

describe('a grant', () => {
  const grant = (user: string, keyHash: KeyHash | null = null, account = 'default'): GiveGrant => ({
    type: 'GiveGrant',
    account,
    subject: subjectOf(user),
    attribution: {},
    grant: { kind: 'points', system: 'xp', amount: 5n },
    keyHash,
  });

  it('is refused exactly while an import of its account is open', async () => {
    const commands = [grant('ada'), grant('bob', null, 'other'), naming];
    expect(await decisions(commands, decidingDependencies())).toEqual(['events', 'events', 'events']);
    const dependencies = decidingDependencies(importing('default'));
    expect(await decisions(commands, dependencies)).toEqual(['import_open', 'events', 'events']);
  });

  it('is a replay when its key was used, also during an import', async () => {
    const dependencies = decidingDependencies({ ...importing('default'), store: storeWith(['used']) });
    expect(await decisions([grant('ada', 'used'), grant('bob', 'fresh')], dependencies)).toEqual([
      'replay',
      'import_open',
    ]);
  });

  it('is not decided while the log cannot be read', async () => {
    const store = { findKeys: () => Promise.reject(new Error('away')) };
    const dependencies = decidingDependencies({ ...importing('default'), store });
    await expect(decisions([grant('ada', 'k')], dependencies)).rejects.toThrow(StoreUnavailableError);
  });
});

describe('a boost for one user', () => {
  const boosting = (user: string, system: string, keyHash: KeyHash | null = null): GiveGrant => ({
    type: 'GiveGrant',
    account: 'default',
    subject: subjectOf(user),
    attribution: {},
    grant: { kind: 'boost', system, name: 'Double', multiplier: 200, rounding: 'down', lasts: { minutes: 60 } },
    keyHash,
  });
  const holding = (held: number): Pick<DecidingDependencies, 'points'> => ({
    points: {
      boostsHeld: ({ subject }, system) => Promise.resolve(subject === subjectOf('ada') && system === 'xp' ? held : 0),
    },
  });

  it('is refused exactly where the user has twenty that are not finished in its system', async () => {
    const commands = [boosting('ada', 'xp'), boosting('ada', 'energy'), boosting('bob', 'xp'), naming];
    expect(await decisions(commands, decidingDependencies(holding(20)))).toEqual([
      'too_many_boosts',
      'events',
      'events',
      'events',
    ]);
  });

  it('counts those that earlier commands of the same call give', async () => {
    const commands = [boosting('ada', 'xp'), boosting('ada', 'xp'), boosting('ada', 'energy')];
    expect(await decisions(commands, decidingDependencies(holding(19)))).toEqual([
      'events',
      'too_many_boosts',
      'events',
    ]);
  });

  it('is a replay when its key was used, and may be one when an earlier command has the same key', async () => {
    const dependencies = decidingDependencies({ ...holding(20), store: storeWith(['used']) });
    expect(await decisions([boosting('ada', 'xp', 'used')], dependencies)).toEqual(['replay']);
    const twice = [boosting('ada', 'xp', 'k'), boosting('ada', 'xp', 'k')];
    expect(await decisions(twice, decidingDependencies(holding(19)))).toEqual(['events', 'events']);
  });

  it('is admitted while points cannot be read', async () => {
    const points = { boostsHeld: () => Promise.reject(new StoreUnavailableError('unreachable')) };
    expect(await decisions([boosting('ada', 'xp')], decidingDependencies({ points }))).toEqual(['events']);
  });
});

describe('an erasure', () => {
  const erasing = (user: string): UserCommand => ({
    type: 'EraseUser',
    account: 'default',
    boards: 'remove',
    attribution: {},
    subject: subjectOf(user),
  });

  function parts({ isOpen = false, stopped = false, looks = { count: 0 } } = {}) {
    const services = [
      { service: 'streak-service', stopped: [] },
      { service: 'points-service', stopped: stopped ? [{ partition: 1, offset: 7, reason: 'broken' }] : [] },
    ];
    const look = () => {
      looks.count++;
      return Promise.resolve({ services } as never);
    };
    return decidingDependencies({ ...(isOpen && importing('default')), watch: { look } });
  }

  it('is refused during an import and while a service has stopped, unlike other commands', async () => {
    const commands = [erasing('ada'), naming, erasing('bob')];
    expect(await decisions(commands, parts())).toEqual(['events', 'events', 'events']);
    const both = await decisions(commands, parts({ isOpen: true, stopped: true }));
    expect(both).toEqual(['import_open', 'events', 'import_open']);
    expect(await decisions([naming, erasing('bob')], parts({ stopped: true }))).toEqual(['events', 'area_stopped']);
  });

  it('waits for the state of the services, and other commands do not', async () => {
    const looks = { count: 0 };
    await decisions([naming], parts({ looks }));
    expect(looks.count).toBe(0);
  });
});

describe('an imported event', () => {
  const imported = { ...event('ann'), occurredAt: 77, importedBy: 'a-key' } as UserCommand;

  it('opens an import once per call in the name of its importer', async () => {
    const decided = await decideCommands([imported, imported], decidingDependencies());
    const types = decided.map(({ decision }) =>
      decision.kind === 'events' ? decision.events.map(({ event: { type } }) => type) : [],
    );
    expect(types).toEqual([['ImportOpened', 'MetricEventRecorded'], ['MetricEventRecorded']]);
    expect(decided[0]).toMatchObject({ decision: { events: [{ event: { by: 'a-key' } }, { occurredAt: 77 }] } });
  });

  it('looks up the import of its account once per call', async () => {
    const asked: string[] = [];
    const goesOn = (account: string) => Promise.resolve(asked.push(account) > 0);
    const imports = { goesOn, isOpen: () => Promise.reject(new Error('it is known')) };
    const grant = { kind: 'points', system: 'xp', amount: 5n } as const;
    const { account, subject } = imported;
    const granting: UserCommand = { type: 'GiveGrant', account, subject, grant, keyHash: null, attribution: {} };
    await decideCommands([imported, granting, imported, imported], decidingDependencies({ imports }));
    expect(asked).toEqual(['default']);
  });

  it('opens no import while one is open', async () => {
    const [decided] = await decideCommands([imported], decidingDependencies(importing('default')));
    expect(decided).toMatchObject({ decision: { events: [{ event: { type: 'MetricEventRecorded' } }] } });
  });
});
