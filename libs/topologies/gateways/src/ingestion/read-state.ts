import type { Instant } from '@laurel/calendar';
import { fieldsOf, isImported, StoreUnavailableError, type UserCommand } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { UserQueries } from '@laurel/users';
import type { ChainWatch } from '../operations/chain-watch.ts';
import type { Imports } from './imports.ts';
import type { OwedAwards } from './owed-awards.ts';

export interface StateReads {
  readonly users: Pick<UserQueries, 'attributesOf'>;
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
  /** Existing users by `userKey`; null if unknown. */
  readonly created: ReadonlySet<string> | null;
  /** The accounts with an open import. */
  readonly importing: ReadonlySet<string>;
  readonly areaStopped: boolean;
}

/** @throws StoreUnavailableError if open imports or stopped services cannot be read, which nothing checks after the decision */
export async function readState(commands: readonly UserCommand[], reads: StateReads): Promise<ReadState> {
  const [attributes, created, areaStopped] = await Promise.all([
    attributesOf(commands.filter(addsAttributes), reads),
    reads.awards.createdAmong(commands),
    hasStopped(commands, reads),
  ]);
  // Read last, because a command that finds no open import is about to open one.
  const importing = await importingAmong(commands, reads);
  return { now: reads.clock.now(), attributes, created, importing, areaStopped };
}

const addsAttributes = (command: UserCommand): boolean =>
  [...(fieldsOf(command).attributes?.values() ?? [])].some((value) => value !== null);

/** If they cannot be read, the users area enforces the limit. */
async function attributesOf(commands: readonly UserCommand[], { users }: StateReads): Promise<ReadState['attributes']> {
  if (commands.length === 0) return NO_ATTRIBUTES;
  try {
    return await users.attributesOf(commands);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return NO_ATTRIBUTES;
    throw error;
  }
}

const NO_ATTRIBUTES: ReadState['attributes'] = new Map();

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
