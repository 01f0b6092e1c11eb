import { IANAZone } from 'luxon';
import { LocalMemory } from './memory.ts';
import type { Instant, Zone } from './types.ts';
import { isZoneName } from './zones.ts';

/** Local time minus UTC, in ms. Whole seconds; zones had odd seconds before they took over standard time. */
export type OffsetMs = number;

/** A range of time [from, until) in which the offset is constant. */
export interface OffsetPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: OffsetMs;
}

/** No clock of the database was ever further from UTC (Manila was 15:56 behind before 1845). */
export const WIDEST_OFFSET_MS: OffsetMs = 16 * 3_600_000;

/**
 * Offsets are remembered in buckets of two days of UTC, because luxon asks Intl, which costs microseconds, and a projection asks several
 * times per event. Two days are safe: the closest that a zone ever changed its offset twice is four days
 * (Africa/Freetown in 1939, where the data keeps it; else seven, America/Recife in 2000).
 */
const BUCKET_MS = 172_800_000;

/** One offset, or the instant at which it changed. */
type Bucket = OffsetMs | { readonly change: Instant; readonly before: OffsetMs; readonly after: OffsetMs };

const buckets = new LocalMemory<Bucket>(100_000);

/** The offset of the zone's clock at an instant. @throws RangeError if it is no zone. */
export function offsetAt(instant: Instant, zone: Zone): OffsetMs {
  if (zone === 'UTC') return 0;
  const bucket = bucketOf(Math.floor(instant / BUCKET_MS), zone);
  if (typeof bucket === 'number') return bucket;
  return instant < bucket.change ? bucket.before : bucket.after;
}

/** The ranges of constant offset that cover [from, until], in order of time. The first and the last may be cut. */
export function offsetPeriods(from: Instant, until: Instant, zone: Zone): readonly OffsetPeriod[] {
  const spans: OffsetPeriod[] = [];
  for (let index = Math.floor(from / BUCKET_MS); index * BUCKET_MS <= until; index++) {
    appendPeriods(spans, index, zone === 'UTC' ? 0 : bucketOf(index, zone));
  }
  return spans;
}

function appendPeriods(spans: OffsetPeriod[], index: number, bucket: Bucket): void {
  const [from, until] = [index * BUCKET_MS, (index + 1) * BUCKET_MS];
  if (typeof bucket === 'number') {
    append(spans, { from, until, offset: bucket });
  } else {
    append(spans, { from, until: bucket.change, offset: bucket.before });
    append(spans, { from: bucket.change, until, offset: bucket.after });
  }
}

function append(spans: OffsetPeriod[], span: OffsetPeriod): void {
  const last = spans.at(-1);
  if (last?.offset === span.offset) spans[spans.length - 1] = { ...last, until: span.until };
  else if (span.from < span.until) spans.push(span);
}

function bucketOf(index: number, zone: Zone): Bucket {
  return buckets.get(zone, index) ?? buckets.set(zone, index, readBucket(index, zone));
}

/** Takes the offsets at both ends from the neighbouring buckets, if they are known. */
function readBucket(index: number, zone: Zone): Bucket {
  const [from, until] = [index * BUCKET_MS, (index + 1) * BUCKET_MS];
  const [earlier, later] = [buckets.get(zone, index - 1), buckets.get(zone, index + 1)];
  const before = lastOffset(earlier) ?? askedOffset(from, zone);
  const after = firstOffset(later) ?? askedOffset(until, zone);
  return before === after ? before : { change: findChange(from, until, before, zone), before, after };
}

function firstOffset(bucket: Bucket | undefined): OffsetMs | undefined {
  return typeof bucket === 'object' ? bucket.before : bucket;
}

function lastOffset(bucket: Bucket | undefined): OffsetMs | undefined {
  return typeof bucket === 'object' ? bucket.after : bucket;
}

/** The first instant, later than `from` and at most `until`, at which the offset is no longer `before`. */
export function findChange(from: Instant, until: Instant, before: OffsetMs, zone: Zone): Instant {
  let [low, high] = [from, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (askedOffset(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

export function askedOffset(instant: Instant, zone: Zone): OffsetMs {
  if (!isZoneName(zone)) throw new RangeError(`not a zone of the IANA database: ${JSON.stringify(zone)}`);
  const minutes = IANAZone.create(zone).offset(instant);
  if (Number.isNaN(minutes)) throw new RangeError(`not an instant: ${instant}`);
  return Math.round(minutes * 60) * 1000;
}
