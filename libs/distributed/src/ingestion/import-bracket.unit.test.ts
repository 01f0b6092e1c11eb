import { StoreUnavailableError, type AccountFact } from '@laurel/contracts';
import { ManualClock } from '@laurel/testing/clock';
import { ImportBracket } from './import-bracket.ts';

const OPTIONS = { unboundedAwards: false, outgoing: false };
const ADMIN = { by: 'a-key', reason: 'old data' };

const OPENED = { type: 'ImportOpened', ...ADMIN };
const CLOSED = { type: 'ImportClosed', cause: 'finished', ...ADMIN };

/** Brackets of two gateways that share a table and a log, which takes facts unless a test says otherwise. */
function open() {
  const table = new Set<string>();
  const log = { facts: [] as AccountFact[], isAway: false };
  const bracket = () =>
    new ImportBracket({
      imports: {
        goesOn: (account) => Promise.resolve(table.has(account)),
        open: (account) => Promise.resolve(!table.has(account) && table.add(account).size > 0),
        isOpen: (account) => Promise.resolve(table.has(account)),
        close: (account) => Promise.resolve(table.delete(account)),
      },
      clock: new ManualClock(),
      appendFact: (_account, fact) => {
        if (log.isAway) return Promise.reject(new StoreUnavailableError('away'));
        return Promise.resolve(log.facts.push(fact));
      },
    });
  return { table, log, one: bracket(), other: bracket() };
}

describe('the bracket of an import', () => {
  it('is opened and closed once, in the log and in the table', async () => {
    const { one, other, log, table } = open();
    expect([
      await one.note('a', OPTIONS, ADMIN),
      await one.note('a', OPTIONS, ADMIN),
      await other.note('a', OPTIONS, ADMIN),
    ]).toEqual([true, false, false]);
    expect([...table]).toEqual(['a']);
    expect([await other.close('a', 'finished', ADMIN), await one.close('a', 'idle', { by: 'process' })]).toEqual([
      true,
      false,
    ]);
    expect(log.facts).toEqual([OPENED, CLOSED]);
  });

  it('is not open if the log does not take its beginning, which the next attempt records', async () => {
    const { one, log, table } = open();
    log.isAway = true;
    await expect(one.note('a', OPTIONS, ADMIN)).rejects.toThrow(StoreUnavailableError);
    expect([...table]).toEqual([]);
    log.isAway = false;
    expect(await one.note('a', OPTIONS, ADMIN)).toBe(true);
    expect(log.facts).toEqual([OPENED]);
  });

  it('stays open if the log does not take its end, which the next attempt records', async () => {
    const { one, log, table } = open();
    await one.note('a', OPTIONS, ADMIN);
    log.isAway = true;
    await expect(one.close('a', 'finished', ADMIN)).rejects.toThrow(StoreUnavailableError);
    expect([...table]).toEqual(['a']);
    log.isAway = false;
    expect(await one.close('a', 'finished', ADMIN)).toBe(true);
    expect(log.facts).toEqual([OPENED, CLOSED]);
  });

  it('that only the log has is entered, and can be closed', async () => {
    const { one, other, log, table } = open();
    await one.isInLog('a');
    await one.isInLog('a');
    expect([...table]).toEqual(['a']);
    expect(await other.note('a', OPTIONS, ADMIN)).toBe(false);
    expect(await other.close('a', 'finished', ADMIN)).toBe(true);
    expect(log.facts).toEqual([CLOSED]);
  });

  it('is opened once by requests that come at the same time, all of which wait for it', async () => {
    const { one, log } = open();
    expect(await Promise.all([1, 2, 3].map(() => one.note('a', OPTIONS, ADMIN)))).toEqual([true, false, false]);
    expect(log.facts).toEqual([OPENED]);
    log.isAway = true;
    const all = await Promise.allSettled([one.note('b', OPTIONS, ADMIN), one.note('b', OPTIONS, ADMIN)]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
