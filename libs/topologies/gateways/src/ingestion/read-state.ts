import type { Instant } from '@laurel/calendar';
import { fieldsOf, isImported, StoreUnavailableError, type Command } from '@laurel/kernel';
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

/** What a gateway has read of the users and accounts of some commands: only what their decisions ask for. */
export interface ReadState {
  readonly now: Instant;
  /** By `userKey`. Absent: the user has none, or they are not known. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By `userKey`; null: nobody can say who is created. */
  readonly created: ReadonlySet<string> | null;
  /** The accounts with an open import. */
  readonly importing: ReadonlySet<string>;
  readonly areaStopped: boolean;
}

/** @throws StoreUnavailableError for what nothing behind the decision would settle: open imports and stopped services */
export async function readState(commands: readonly Command[], reads: StateReads): Promise<ReadState> {
  const [attributes, created, areaStopped] = await Promise.all([
    attributesOf(commands.filter(addsAttributes), reads),
    reads.awards.createdAmong(commands),
    hasStopped(commands, reads),
  ]);
  // The last to be read: who finds no import open is about to open one.
  const importing = await importingAmong(commands, reads);
  return { now: reads.clock.now(), attributes, created, importing, areaStopped };
}

const addsAttributes = (command: Command): boolean =>
  [...(fieldsOf(command).attributes?.values() ?? [])].some((value) => value !== null);

/** While they cannot be read, the users area keeps the limit by itself. */
async function attributesOf(commands: readonly Command[], { users }: StateReads): Promise<ReadState['attributes']> {
  if (commands.length === 0) return NO_ATTRIBUTES;
  try {
    return await users.attributesOf(commands);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return NO_ATTRIBUTES;
    throw error;
  }
}

const NO_ATTRIBUTES: ReadState['attributes'] = new Map();

async function hasStopped(commands: readonly Command[], { watch }: StateReads): Promise<boolean> {
  if (!commands.some(({ type }) => type === 'EraseUser')) return false;
  const { services } = await watch.look();
  return services.some(({ stopped }) => stopped.length > 0);
}

/** Imported events note that their import goes on. */
async function importingAmong(
  commands: readonly Command[],
  { imports, clock }: StateReads,
): Promise<ReadonlySet<string>> {
  const importing = new Set<string>();
  const goingOn = accountsOf(commands.filter(isImported));
  for (const account of goingOn) if (await imports.goesOn(account, clock.now())) importing.add(account);
  for (const account of accountsOf(commands.filter(mayNotInterruptImport)))
    if (!goingOn.has(account) && (await imports.isOpen(account))) importing.add(account);
  return importing;
}

const accountsOf = (commands: readonly Command[]): ReadonlySet<string> =>
  new Set(commands.map(({ account }) => account));

const mayNotInterruptImport = ({ type }: Command): boolean => type === 'GiveGrant' || type === 'EraseUser';
