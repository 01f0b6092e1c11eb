import {
  StoreUnavailableError,
  type PointsRequest,
  type RecordedEvent,
  type RequestDecided,
  type SpendRequested,
  type Verdict,
} from '@laurel/kernel';
import { DecisionRecorder } from './decision-recorder.ts';

const AT = Date.UTC(2026, 2, 2);
const GRACE_MS = 5_000;
const YES: Verdict = { accepted: true, amount: 5, moved: 5 };
const NO: Verdict = { accepted: false, available: 3 };

type Recorded = RecordedEvent<SpendRequested>;

const spend = (position: number, verdict?: Verdict, recordedAt = AT): Recorded => ({
  ...{
    account: 'default',
    eventId: `e${position}`,
    position,
    occurredAt: recordedAt,
    recordedAt,
    configurationVersion: 1,
  },
  fact: {
    ...{ type: 'SpendRequested', subject: position, system: 'xp', amount: 5, keyHash: `k${position}` },
    ...(verdict !== undefined && { verdict }),
  },
});

/** A log of requests, and what the rules have stored of them. */
function world(requests: readonly Recorded[], stored: ReadonlyMap<number, Verdict>) {
  const verdicts = new Map<string, Verdict>();
  const recorded: RequestDecided[] = [];
  const erased = new Set<number>();
  let [checkpoint, now, failures] = [0, AT + GRACE_MS, 0];
  const shown = (request: Recorded): RecordedEvent<PointsRequest> => {
    const verdict = request.fact.verdict ?? verdicts.get(request.eventId);
    return verdict === undefined ? request : { ...request, fact: { ...request.fact, verdict } };
  };
  const open = () =>
    new DecisionRecorder({
      log: {
        readRequests: async (after, limit) =>
          requests
            .filter(({ position }) => position > after)
            .slice(0, limit)
            .map(shown),
        find: async (_, eventId) => requests.filter((one) => one.eventId === eventId).map(shown)[0] ?? null,
      },
      storedVerdicts: async (asked) => asked.map(({ position }) => stored.get(position) ?? null),
      directory: {
        idsOf: async (_, subjects) => new Map(subjects.filter((one) => !erased.has(one)).map((one) => [one, `${one}`])),
      },
      checkpoint: { read: async () => checkpoint, save: async (position) => void (checkpoint = position) },
      record: async (_, event) => {
        if (failures-- > 0) throw new StoreUnavailableError('no');
        if (verdicts.has(event.request.eventId)) throw new Error('decided twice');
        verdicts.set(event.request.eventId, event.verdict);
        recorded.push(event);
      },
      clock: { now: () => now, elapsedMs: () => 0, after: () => () => undefined },
      graceMs: GRACE_MS,
      onFailure: () => undefined,
    });
  return {
    open,
    erased,
    decided: () => recorded.map(({ request, verdict }) => [request.eventId, verdict]),
    checkpoint: () => checkpoint,
    passes: (ms: number) => (now += ms),
    failNext: () => (failures = 1),
  };
}

describe('the recorder of decisions', () => {
  it('records what the log lacks, and goes on behind it', async () => {
    const all = world([spend(1, YES), spend(2), spend(3)], new Map<number, Verdict>([[2, NO], [3, YES]])); // prettier-ignore
    await all.open().recordDue();
    expect(all.decided()).toEqual([
      ['e2', NO],
      ['e3', YES],
    ]);
    expect(all.checkpoint()).toBe(3);
    await all.open().recordDue();
    expect(all.decided()).toHaveLength(2);
  });

  it('waits for the first request that is not applied', async () => {
    const stored = new Map<number, Verdict>([[3, YES]]);
    const all = world([spend(1, NO), spend(2), spend(3)], stored);
    const recorder = all.open();
    await recorder.recordDue();
    expect([all.decided(), all.checkpoint()]).toEqual([[], 1]);
    stored.set(2, NO);
    await recorder.recordDue();
    expect([all.decided().length, all.checkpoint()]).toEqual([2, 3]);
  });

  it('leaves a young request to the process that waits for it', async () => {
    const all = world([spend(1, undefined, AT + 1)], new Map([[1, YES]]));
    const recorder = all.open();
    await recorder.recordDue();
    expect(all.decided()).toEqual([]);
    all.passes(1);
    await recorder.recordDue();
    expect(all.decided()).toEqual([['e1', YES]]);
  });

  it('passes over requests of erased users', async () => {
    const all = world([spend(1), spend(2)], new Map([[2, YES]]));
    all.erased.add(1);
    await all.open().recordDue();
    expect([all.decided(), all.checkpoint()]).toEqual([[['e2', YES]], 2]);
  });

  it('tries again what could not be recorded', async () => {
    const all = world([spend(1)], new Map([[1, YES]]));
    const recorder = all.open();
    all.failNext();
    await expect(recorder.recordDue()).rejects.toThrow(StoreUnavailableError);
    expect(all.checkpoint()).toBe(0);
    await recorder.recordDue();
    expect(all.decided()).toEqual([['e1', YES]]);
  });

  it('finds a request with its verdict, which is recorded once for any number of callers', async () => {
    const all = world([spend(1), spend(2)], new Map([[1, YES]]));
    const recorder = all.open();
    const found = await Promise.all([recorder.find('default', 'e1'), recorder.find('default', 'e1')]);
    expect(found.map((one) => (one?.fact as SpendRequested).verdict)).toEqual([YES, YES]);
    expect(all.decided()).toEqual([['e1', YES]]);
    expect(((await recorder.find('default', 'e2'))?.fact as SpendRequested).verdict).toBeUndefined();
    expect(await recorder.find('default', 'none')).toBeNull();
  });
});
