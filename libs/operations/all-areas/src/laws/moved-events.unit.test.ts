import { compileHistory, parseDocument } from '@laurel/configuration';
import type { DomainEvent, RecordedEvent } from '@laurel/kernel';
import { Chain, Rebuild } from '@laurel/engine';
import { rebuiltBoards, tablesWith } from '@laurel/testing/histories';
import { MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import { subjectOf } from '@laurel/ports/fixtures';
import { USER_AREAS } from '../user-areas.ts';

const HOUR = 3_600_000;
const BEGINNING = Date.parse('2026-03-02T00:00:00Z');
const subject = subjectOf('ada');

/** Each gives so many points for one of a metric. */
const documentOf = (metrics: readonly string[], points = 10): unknown =>
  parseDocument(
    JSON.stringify({
      version: 1,
      metrics: metrics.map((key) => ({ key, name: key })),
      points: [
        {
          key: 'xp',
          name: 'XP',
          triggers: metrics.map((metric) => ({ type: 'metric', metric, threshold: 1, points })),
        },
      ],
    }),
    'test',
  ).document;

/** A log that is written record by record: one an hour, each under the last version. */
class OldLog {
  readonly store = new MemoryBatchStore([]);
  #version = 0;

  publish(metrics: readonly string[], points?: number): void {
    this.#version++;
    const published = { version: this.#version, document: documentOf(metrics, points), by: 'local' };
    this.#append({ type: 'ConfigurationPublished', ...published });
  }

  record(metric: string): RecordedEvent {
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

  sweep(): void {
    this.#append({ type: 'UsersSwept', subjects: [subject] });
  }

  amend({ position, eventId }: RecordedEvent, occurredAt: number): void {
    const corrections = [{ position, eventId, occurredAt }];
    const asked = { subject, corrections, achievements: 'recompute', finalRuns: 'keep' } as const;
    const call = { preview: 'p', keyHash: null, by: 'local', reason: 'reported late' };
    this.#append({ type: 'CorrectionRecorded', ...asked, ...call });
  }

  #append(fact: DomainEvent): RecordedEvent {
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

describe('an event store of a release that left amended events in place', () => {
  it('can be rebuilt even if an event was moved before the version that added its metric', async () => {
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

describe('a moved event', () => {
  const sweep = (log: OldLog) => void log.sweep();
  const correct = (log: OldLog, first: RecordedEvent) => void log.amend(first, first.occurredAt);
  const own = (log: OldLog) => void log.record('lessons');

  it.each([
    ['the next', 50, [own]],
    ['the next, after a sweep', 50, [sweep, own]],
    ['the next, after a correction', 50, [correct, own]],
    ['the previous, if none follows', 20, []],
    ['the previous, if only a sweep follows', 20, [sweep]],
    ['the previous, if only a correction follows', 20, [correct]],
  ])("counts under the version of the user's adjacent event: %s", async (_, total, between) => {
    const log = new OldLog();
    log.publish(['lessons']);
    const first = log.record('lessons');
    for (const one of between.slice(0, -1)) one(log, first);
    log.publish(['lessons'], 20);
    for (const one of between.slice(-1)) one(log, first);
    log.amend(log.record('lessons'), first.occurredAt + 1);
    expect(totalsIn(await rebuilt(log.store))).toMatchObject({ points: [['xp', `${total}`]] });
  });

  it("moved to the end counts under the version of the user's previous event, not of a sweep", async () => {
    const log = new OldLog();
    log.publish(['lessons']);
    log.record('lessons');
    log.publish(['lessons'], 20);
    log.sweep();
    const last = log.record('lessons');
    log.amend(last, last.occurredAt - 1);
    expect(totalsIn(await rebuilt(log.store))).toMatchObject({ points: [['xp', '20']] });
  });
});
