import { StoreUnavailableError, type AccountEvent, type ImportOpened } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { ImportBracket } from './import-bracket.ts';

const OPTIONS = { unboundedAwards: false, outgoing: false };
const OUTGOING = { ...OPTIONS, outgoing: true };
const ADMIN = { by: 'a-key', reason: 'old data' };

const OPENED: ImportOpened = { type: 'ImportOpened', ...ADMIN };
const CLOSED = { type: 'ImportClosed', cause: 'finished', ...ADMIN };

/** Brackets of two gateways that share a table and a log, which takes facts unless a test says otherwise. The table has whether outcomes are wanted. */
function open() {
  const table = new Map<string, boolean>();
  const log = { facts: [] as AccountEvent[], isAway: false };
  const bracket = () =>
    new ImportBracket({
      imports: {
        goesOn: (account) => Promise.resolve(table.has(account)),
        open: (account, _at, opening) => {
          const isNew = !table.has(account) || opening !== undefined;
          if (isNew) table.set(account, opening?.outgoing ?? false);
          return Promise.resolve(isNew);
        },
        findOpen: (account) => {
          const outgoing = table.get(account);
          if (outgoing === undefined) return Promise.resolve(null);
          return Promise.resolve({ outgoing, openedAt: 0, lastAt: 0, position: null, by: null, reason: null });
        },
        isOpen: (account) => Promise.resolve(table.has(account)),
        close: (account) => Promise.resolve(table.delete(account)),
      },
      clock: new ManualClock(),
      appendEvent: (_account, fact) => {
        if (log.isAway) return Promise.reject(new StoreUnavailableError('away'));
        return Promise.resolve(log.facts.push(fact));
      },
    });
  return { table, log, one: bracket(), other: bracket() };
}

describe('the state of an import in log and table', () => {
  it('is opened and closed once in both', async () => {
    const { one, other, log, table } = open();
    expect([
      await one.openedBy('a', OPENED),
      await one.openedBy('a', OPENED),
      await other.openedBy('a', OPENED),
    ]).toEqual([true, false, false]);
    expect([...table.keys()]).toEqual(['a']);
    expect([await other.close('a', 'finished', ADMIN), await one.close('a', 'idle', { by: 'process' })]).toEqual([
      true,
      false,
    ]);
    expect(log.facts).toEqual([OPENED, CLOSED]);
  });

  it('stays closed when the log refuses its start, which the next attempt records', async () => {
    const { one, log, table } = open();
    log.isAway = true;
    await expect(one.openedBy('a', OPENED)).rejects.toThrow(StoreUnavailableError);
    expect([...table.keys()]).toEqual([]);
    log.isAway = false;
    expect(await one.openedBy('a', OPENED)).toBe(true);
    expect(log.facts).toEqual([OPENED]);
  });

  it('stays open when the log refuses its end, which the next attempt records', async () => {
    const { one, log, table } = open();
    await one.openedBy('a', OPENED);
    log.isAway = true;
    await expect(one.close('a', 'finished', ADMIN)).rejects.toThrow(StoreUnavailableError);
    expect([...table.keys()]).toEqual(['a']);
    log.isAway = false;
    expect(await one.close('a', 'finished', ADMIN)).toBe(true);
    expect(log.facts).toEqual([OPENED, CLOSED]);
  });

  it('is entered into the table when only the log has it, and can be closed', async () => {
    const { one, other, log, table } = open();
    await one.isInLog('a');
    await one.isInLog('a');
    expect([...table.keys()]).toEqual(['a']);
    expect(await other.openedBy('a', OPENED)).toBe(false);
    expect(await other.close('a', 'finished', ADMIN)).toBe(true);
    expect(log.facts).toEqual([CLOSED]);
  });

  it('is opened once by simultaneous requests, all of which wait for it', async () => {
    const { one, log } = open();
    expect(await Promise.all([1, 2, 3].map(() => one.openedBy('a', OPENED)))).toEqual([true, false, false]);
    expect(log.facts).toEqual([OPENED]);
    log.isAway = true;
    const all = await Promise.allSettled([one.openedBy('b', OPENED), one.openedBy('b', OPENED)]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is opened again with other options, but not with the same', async () => {
    const { one, other, log, table } = open();
    await one.openedBy('a', OPENED);
    expect(await other.open('a', OPTIONS, ADMIN)).toBe(false);
    expect(await other.open('a', OUTGOING, ADMIN)).toBe(true);
    expect(await one.open('a', OUTGOING, ADMIN)).toBe(false);
    expect(await one.openedBy('a', OPENED)).toBe(false);
    expect(log.facts).toEqual([OPENED, { ...OPENED, outgoing: true }]);
    expect([...table]).toEqual([['a', true]]);
  });
});
