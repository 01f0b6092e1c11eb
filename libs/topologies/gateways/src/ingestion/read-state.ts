import type { AreaReads } from '@laurel/all-areas';
import type { Instant } from '@laurel/calendar';
import { fieldsOf, isImported, StoreUnavailableError, userKey, type UserCommand } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { UserQueries } from '@laurel/users';
import type { ChainWatch } from '../operations/chain-watch.ts';
import type { Imports } from './imports.ts';
import type { OwedAwards } from './owed-awards.ts';

export interface StateReads {
  readonly users: Pick<UserQueries, 'attributesOf'>;
  readonly points: Pick<AreaReads['points'], 'boostsHeld'>;
  readonly imports: Pick<Imports, 'goesOn' | 'isOpen'>;
  readonly watch: Pick<ChainWatch, 'look'>;
  readonly awards: Pick<OwedAwards, 'createdAmong'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The state of users and accounts that the decisions of some commands need. */
export interface ReadState {
  readonly now: Instant;
  /** By `userKey`; absent if the user has none, or if they are unknown. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Unfinished boosts of the user in the system of a granted one, by `grantedBoostKey`; absent if they cannot be read. */
  readonly boostsHeld: ReadonlyMap<string, number>;
  /** Existing users by `userKey`; null if unknown. */
  readonly created: ReadonlySet<string> | null;
  /** The accounts with an open import. */
  readonly importing: ReadonlySet<string>;
  readonly areaStopped: boolean;
}

/** @throws StoreUnavailableError if open imports or stopped services cannot be read, which nothing checks after the decision */
export async function readState(commands: readonly UserCommand[], reads: StateReads): Promise<ReadState> {
  const [attributes, boostsHeld, created, areaStopped] = await Promise.all([
    attributesOf(commands.filter(addsAttributes), reads),
    boostsHeldAmong(commands, reads),
    reads.awards.createdAmong(commands),
    hasStopped(commands, reads),
  ]);
  // Read last, because a command that finds no open import is about to open one.
  const importing = await importingAmong(commands, reads);
  return { now: reads.clock.now(), attributes, boostsHeld, created, importing, areaStopped };
}

const addsAttributes = (command: UserCommand): boolean =>
  [...(fieldsOf(command).attributes?.values() ?? [])].some((value) => value !== null);

/** If they cannot be read, the users area enforces the limit. */
async function attributesOf(commands: readonly UserCommand[], { users }: StateReads): Promise<ReadState['attributes']> {
  if (commands.length === 0) return NO_ATTRIBUTES;
  return unlessUnavailable(users.attributesOf(commands), NO_ATTRIBUTES);
}

const NO_ATTRIBUTES: ReadState['attributes'] = new Map();

/** If they cannot be read, the points area enforces the limit. */
async function boostsHeldAmong(
  commands: readonly UserCommand[],
  { points, clock }: StateReads,
): Promise<ReadState['boostsHeld']> {
  const held = new Map<string, number>();
  for (const command of commands) {
    const [key, system] = [grantedBoostKey(command), grantedBoostSystem(command)];
    if (key === null || system === null || held.has(key)) continue;
    held.set(key, await unlessUnavailable(points.boostsHeld(command, system, clock.now()), 0));
  }
  return held;
}

/** The user and the points system of a granted boost; null for another command. */
export function grantedBoostKey(command: UserCommand): string | null {
  const system = grantedBoostSystem(command);
  return system === null ? null : `${userKey(command)}\0${system}`;
}

const grantedBoostSystem = (command: UserCommand): string | null =>
  command.type === 'GiveGrant' && command.grant.kind === 'boost' ? command.grant.system : null;

/** What is read, or something else while the store is unavailable. */
async function unlessUnavailable<Read>(read: Promise<Read>, otherwise: Read): Promise<Read> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return otherwise;
    throw error;
  }
}

async function hasStopped(commands: readonly UserCommand[], { watch }: StateReads): Promise<boolean> {
  if (!commands.some(({ type }) => type === 'EraseUser')) return false;
  const { services } = await watch.look();
  return services.some(({ stopped }) => stopped.length > 0);
}

/** Also notes the activity of imports. */
async function importingAmong(
  commands: readonly UserCommand[],
  { imports, clock }: StateReads,
): Promise<ReadonlySet<string>> {
  const importing = new Set<string>();
  const goingOn = accountsOf(commands.filter(isImported));
  for (const account of goingOn) if (await imports.goesOn(account, clock.now())) importing.add(account);
  for (const account of accountsOf(commands.filter(mayNotInterruptImport)))
    if (!goingOn.has(account) && (await imports.isOpen(account))) importing.add(account);
  return importing;
}

const accountsOf = (commands: readonly UserCommand[]): ReadonlySet<string> =>
  new Set(commands.map(({ account }) => account));

const mayNotInterruptImport = ({ type }: UserCommand): boolean => type === 'GiveGrant' || type === 'EraseUser';
