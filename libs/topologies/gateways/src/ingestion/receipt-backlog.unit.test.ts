import { ManualClock } from '@laurel/testing/clock';
import { MOST_UNAPPLIED, ReceiptBacklog, type Admission } from './receipt-backlog.ts';

/** The answers that a batch has got by now; a batch that waits must not keep the test waiting. */
const toldBy = async (admission: Promise<Admission | null>): Promise<'admitted' | 'turned away' | 'waits'> => {
  const turn = new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')));
  const notified = admission.then((found) => (found === null ? ('turned away' as const) : ('admitted' as const)));
  return Promise.race([notified, turn]);
};

/** A backlog before services that have applied the log up to `applied`. */
function open() {
  const clock = new ManualClock();
  const services = { applied: 0, reads: 0, error: null as Error | null };
  const failures: unknown[] = [];
  const backlog = new ReceiptBacklog({
    clock,
    appliedPosition: () => {
      services.reads++;
      return services.error ? Promise.reject(services.error) : Promise.resolve(services.applied);
    },
    limitMs: 10_000,
    onFailure: (error) => failures.push(error),
  });
  return { clock, services, failures, backlog };
}

const batch = (records: number, bytes = records) => ({ records, bytes });
const { records: MOST } = MOST_UNAPPLIED;

describe('the backlog of receipts', () => {
  it('admits batches while there is room, without reading the positions of the services', async () => {
    const { backlog, services } = open();
    for (const position of [1, 2, 3]) (await backlog.admit(batch(MOST / 3)))?.settle(position);
    expect(backlog.records).toBe(MOST);
    expect(services.reads).toBe(0);
  });

  it('delays the next batch until the services have applied enough', async () => {
    const { backlog, clock, services } = open();
    (await backlog.admit(batch(MOST - 10)))?.settle(100);
    (await backlog.admit(batch(10)))?.settle(200);
    const admitted: string[] = [];
    void backlog.admit(batch(20)).then(() => admitted.push('next'));
    await clock.advance(5_000);
    expect(admitted).toEqual([]);
    services.applied = 99;
    await clock.advance(1_000);
    expect(admitted).toEqual([]);
    services.applied = 100;
    await clock.advance(1_000);
    expect(admitted).toEqual(['next']);
    expect(backlog.records).toBe(30);
  });

  it('counts bytes as well as records', async () => {
    const { backlog, clock } = open();
    (await backlog.admit(batch(1, MOST_UNAPPLIED.bytes)))?.settle(1);
    const next = backlog.admit(batch(1, 1));
    await clock.advance(11_000);
    expect(await toldBy(next)).toBe('turned away');
  });

  it('refuses a batch that finds no room within the limit, and keeps the order of the waiting ones', async () => {
    const { backlog, clock, services } = open();
    (await backlog.admit(batch(MOST)))?.settle(1);
    const order: string[] = [];
    const first = backlog.admit(batch(2)).then((admission) => order.push(admission === null ? 'no first' : 'first'));
    await clock.advance(9_000);
    const second = backlog.admit(batch(1)).then((admission) => order.push(admission === null ? 'no second' : 'second'));
    await clock.advance(2_000);
    services.applied = 1;
    await clock.advance(1_000);
    expect(order).toEqual(['no first', 'second']);
    await Promise.all([first, second]);
  });

  it('admits a batch that finds room at the last attempt', async () => {
    const { backlog, clock, services } = open();
    (await backlog.admit(batch(MOST)))?.settle(1);
    const next = backlog.admit(batch(1));
    await clock.advance(9_950);
    services.applied = 1;
    await clock.advance(200);
    expect(await toldBy(next)).toBe('admitted');
  });

  it('lets no small batch overtake a large one that waits', async () => {
    const { backlog, clock, services } = open();
    (await backlog.admit(batch(100)))?.settle(1);
    (await backlog.admit(batch(MOST - 100)))?.settle(2);
    const [large, small] = [backlog.admit(batch(500)), backlog.admit(batch(50))];
    await clock.advance(0);
    services.applied = 1;
    await clock.advance(1_000);
    expect([await toldBy(large), await toldBy(small)]).toEqual(['waits', 'waits']);
    services.applied = 2;
    await clock.advance(1_000);
    expect([await toldBy(large), await toldBy(small)]).toEqual(['admitted', 'admitted']);
  });

  it('admits a batch above the limits when it is alone', async () => {
    const { backlog, clock, services } = open();
    const first = backlog.admit(batch(2 * MOST));
    expect(await toldBy(first)).toBe('admitted');
    (await first)?.settle(1);
    const next = backlog.admit(batch(2 * MOST));
    await clock.advance(1_000);
    services.applied = 1;
    await clock.advance(1_000);
    expect(await toldBy(next)).toBe('admitted');
  });

  it('frees the room of a batch of which nothing was recorded', async () => {
    const { backlog } = open();
    (await backlog.admit(batch(MOST)))?.settle(null);
    expect(backlog.records).toBe(0);
    expect(await toldBy(backlog.admit(batch(MOST)))).toBe('admitted');
  });

  it('counts a batch that is still being recorded, and continues while the position is unreadable', async () => {
    const { backlog, clock, services, failures } = open();
    const recording = await backlog.admit(batch(MOST));
    services.applied = 50;
    services.error = new Error('away');
    const next = backlog.admit(batch(1));
    await clock.advance(1_000);
    expect(failures.length).toBeGreaterThan(0);
    services.error = null;
    await clock.advance(1_000);
    expect(backlog.records).toBe(MOST);
    recording?.settle(40);
    await clock.advance(1_000);
    expect(await toldBy(next)).toBe('admitted');
  });
});
