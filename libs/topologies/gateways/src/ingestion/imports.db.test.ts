import { INGESTION_MIGRATIONS } from '@laurel/processes';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { Imports } from './imports.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(INGESTION_MIGRATIONS);
});
afterAll(() => database.close());
beforeEach(() => database.sql.query('truncate imports', []));

const OPENING = { position: 7, by: 'a-key', reason: 'old data', outgoing: false };

const gateway = () => new Imports(database.sql);

describe('an import', () => {
  it('is opened by its first event for every gateway of the account only', async () => {
    const [one, other] = [gateway(), gateway()];
    expect([await one.goesOn('a', 0), await one.open('a', 0, OPENING)]).toEqual([false, true]);
    expect([await one.goesOn('a', 1), await other.goesOn('a', 2), await other.open('a', 3, OPENING)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await other.isOpen('a'), await other.isOpen('b')]).toEqual([true, false]);
  });

  it('is opened once by simultaneous gateways', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => gateway().open('a', 0, OPENING)));
    expect(opened.filter(Boolean)).toHaveLength(1);
  });

  it('is closed once by any gateway and can be opened again', async () => {
    const [one, other] = [gateway(), gateway()];
    await one.open('a', 0, OPENING);
    expect([await other.close('a'), await one.close('a'), await one.close('b')]).toEqual([true, false, false]);
    expect(await one.isOpen('a')).toBe(false);
    expect([await other.goesOn('a', 1), await one.open('a', 1, OPENING)]).toEqual([false, true]);
  });

  it('has the options that were recorded last', async () => {
    const [one, other] = [gateway(), gateway()];
    await one.open('a', 0, OPENING);
    expect(await other.open('a', 1, { ...OPENING, position: 9, outgoing: true })).toBe(true);
    expect(await one.open('a', 2, { ...OPENING, position: 8 })).toBe(false);
    expect(await one.findOpen('a')).toMatchObject({ position: 9, outgoing: true });
  });

  it('is idle only when no gateway has used it for long', async () => {
    const [one, other] = [gateway(), gateway()];
    await one.open('a', 0, OPENING);
    await one.open('b', 0, OPENING);
    await other.goesOn('a', 60_000);
    await one.close('b');
    expect(await one.idle(60_000)).toEqual([]);
    expect(await one.idle(60_001)).toEqual(['a']);
  });

  it('shows who opened it, after which record, and when it was last used', async () => {
    const [one, other] = [gateway(), gateway()];
    expect(await one.findOpen('a')).toBeNull();
    await one.open('a', 1_000, OPENING);
    await other.goesOn('a', 6_000);
    expect(await one.findOpen('a')).toEqual({ ...OPENING, openedAt: 1_000, lastAt: 6_000 });
    await one.close('a');
    expect(await other.findOpen('a')).toBeNull();
    const later = { position: 9, by: null, reason: null, outgoing: true };
    await other.open('a', 7_000, later);
    expect(await one.findOpen('a')).toEqual({ ...later, openedAt: 7_000, lastAt: 7_000 });
    await database.sql.query('update imports set opened_at = null, position = null', []);
    expect(await one.findOpen('a')).toMatchObject({ position: null, openedAt: 7_000 });
  });

  it('notes its use every few seconds, not with every event', async () => {
    const one = gateway();
    await one.open('a', 0, OPENING);
    await one.goesOn('a', 4_999);
    expect(await one.idle(1)).toEqual(['a']);
    await one.goesOn('a', 5_000);
    expect(await one.idle(5_000)).toEqual([]);
  });
});
