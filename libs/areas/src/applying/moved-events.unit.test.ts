import { compileHistory, parseDocument } from '@laurel/configuration';
import type { Fact, LogRecord } from '@laurel/contracts';
import { Chain, Rebuild } from '@laurel/engine';
import { rebuiltBoards, tablesWith } from '@laurel/testing/histories';
import { MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import { subjectOf } from '@laurel/event-store/fixtures';
import { USER_AREAS } from '../user-areas.ts';

const HOUR = 3_600_000;
const BEGINNING = Date.parse('2026-03-02T00:00:00Z');
const subject = subjectOf('ada');

const documentOf = (metrics: readonly string[]): unknown =>
  parseDocument(
    JSON.stringify({
      version: 1,
      metrics: metrics.map((key) => ({ key, name: key })),
      points: [
        {
          key: 'xp',
          name: 'XP',
          triggers: metrics.map((metric) => ({ type: 'metric', metric, threshold: 1, points: 10 })),
        },
      ],
    }),
    'test',
  ).document;

/** A log that is written record by record: one an hour, each under the last version. */
class OldLog {
  readonly store = new MemoryBatchStore([]);
  #version = 0;

  publish(metrics: readonly string[]): void {
    this.#version++;
    const published = { version: this.#version, document: documentOf(metrics), by: 'local' };
    this.#append({ type: 'ConfigurationPublished', ...published });
  }

  record(metric: string): LogRecord {
    const recorded = {
      subject,
      metric,
      value: 1_000_000n,
      user: {},
      attributes: new Map(),
      keyHash: null,
      imported: false,
    };
    return this.#append({ type: 'MetricEventRecorded', ...recorded });
  }

  amend({ position, eventId }: LogRecord, occurredAt: number): void {
    const corrections = [{ position, eventId, occurredAt }];
    const asked = { subject, corrections, achievements: 'recompute', finalRuns: 'keep' } as const;
    const call = { preview: 'p', keyHash: null, by: 'local', reason: 'reported late' };
    this.#append({ type: 'CorrectionRecorded', ...asked, ...call });
  }

  #append(fact: Fact): LogRecord {
    const position = this.store.records.length + 1;
    const at = BEGINNING + position * HOUR;
    const stamp = { eventId: `e${position}`, account: 'default', configurationVersion: this.#version };
    const record = { ...stamp, position, occurredAt: at, recordedAt: at, fact };
    this.store.records.push(record);
    return record;
  }
}

async function rebuilt(log: MemoryBatchStore): Promise<MemoryBatchStore> {
  const boards = rebuiltBoards(() => store);
  const store: MemoryRebuildStore = new MemoryRebuildStore(tablesWith(boards));
  const chain = new Chain(USER_AREAS, boards, () => undefined);
  const rebuild = new Rebuild({ log, store, chain, compileHistory }, chain.areaNames);
  await rebuild.catchUp();
  await rebuild.prepareTakeOver();
  return store.written;
}

/** Of the only user: the totals of metrics and points. */
function totalsIn({ documents }: MemoryBatchStore): unknown {
  const [document = ''] = documents.values();
  const { users, points } = JSON.parse(document) as {
    users: { totals: unknown };
    points: { systems: readonly (readonly unknown[])[] };
  };
  return { metrics: users.totals, points: points.systems.map(([key, total]) => [key, total]) };
}

describe('a log of a release that left amended events at their place', () => {
  it('is rebuilt if one was moved before the version that added its metric: it counts under its own', async () => {
    const log = new OldLog();
    log.publish(['lessons']);
    const first = log.record('lessons');
    log.record('lessons');
    log.publish(['lessons', 'minutes']);
    log.amend(log.record('minutes'), first.occurredAt + 1);
    expect(totalsIn(await rebuilt(log.store))).toEqual({
      metrics: [
        ['lessons', '2'],
        ['minutes', '1'],
      ],
      points: [['xp', '30']],
    });
  });
});
