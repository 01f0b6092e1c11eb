import { StoreUnavailableError, type SqlReader, type UserRef } from '@laurel/kernel';
import { VirtualClock } from '@laurel/testing/clock';
import { FollowedErasures } from './followed-erasures.ts';

const clock = new VirtualClock();

/** The log of the ingestion gateways, as far as it holds erasures: their positions, each of the user with that subject. */
class ErasureLog implements SqlReader {
  positions: number[] = [];
  failure: Error | null = null;
  statements = 0;

  query<R extends object>(text: string, [after = 0, upTo = 0]: readonly unknown[]): Promise<R[]> {
    this.statements++;
    if (this.failure !== null) return Promise.reject(this.failure);
    if (!text.includes('order by')) return Promise.resolve([{ erased_to: String(this.positions.at(-1) ?? 0) }] as R[]);
    const found = this.positions.filter((position) => position > Number(after) && position <= Number(upTo));
    const rows = found.map((at) => ({ position: String(at), account: 'default', subject: String(at) }));
    return Promise.resolve(rows.slice(0, 1_000) as object[] as R[]);
  }
}

function open() {
  const log = new ErasureLog();
  const forgotten: number[] = [];
  const troubles: unknown[] = [];
  const directory = { forget: ({ subject }: UserRef) => void forgotten.push(subject) };
  const erasures = new FollowedErasures(log, directory, clock);
  return { log, forgotten, troubles, erasures, follow: () => erasures.follow((error) => void troubles.push(error)) };
}

describe('users erased by another process', () => {
  it('are forgotten within half a second, except those erased before the start', async () => {
    const { log, forgotten, follow, erasures } = open();
    log.positions = [3, 7];
    await follow();
    log.positions.push(9, 12);
    await clock.advance(500);
    expect(forgotten).toEqual([9, 12]);
    const { statements } = log;
    await clock.advance(1_000);
    expect([forgotten.length, log.statements - statements]).toEqual([2, 2]);
    erasures.stop();
    log.positions.push(20);
    await clock.advance(1_000);
    expect(forgotten).toEqual([9, 12]);
  });

  it('are forgotten at once on refresh, however many they are', async () => {
    const { log, forgotten, erasures } = open();
    await erasures.refresh();
    log.positions = Array.from({ length: 2_500 }, (_, index) => index + 1);
    await Promise.all([erasures.refresh(), erasures.refresh()]);
    expect(forgotten).toEqual(log.positions);
  });

  it('are looked up again after the database was unavailable', async () => {
    const { log, forgotten, troubles, follow, erasures } = open();
    await follow();
    log.failure = new StoreUnavailableError('no database');
    log.positions = [4];
    await clock.advance(500);
    expect([forgotten, troubles]).toEqual([[], [log.failure]]);
    log.failure = null;
    await clock.advance(500);
    expect(forgotten).toEqual([4]);
    erasures.stop();
  });

  it('are looked up without an error before an ingestion gateway has created the tables', async () => {
    const { log, forgotten, erasures } = open();
    log.failure = Object.assign(new Error('relation does not exist'), { code: '42P01' });
    await erasures.refresh();
    log.failure = null;
    log.positions = [4];
    await erasures.refresh();
    expect(forgotten).toEqual([4]);
  });
});
