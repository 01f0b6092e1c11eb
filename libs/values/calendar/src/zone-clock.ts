import { askedOffset, findChange, offsetAt, type OffsetMs } from './offsets.ts';
import type { Instant, Zone } from './types.ts';

/** The distance of samples: the closest that a clock changed twice since 1970 is seven days (America/Recife in 2000). */
const STEP_MS = 6 * 86_400_000;
const STEPS = 10;
const STRETCH_MS = STEPS * STEP_MS;

/** Offsets between these instants are never forgotten: at most 8 KB per zone. */
const FROM: Instant = Date.UTC(1970, 0, 1);
const UNTIL: Instant = Date.UTC(2100, 0, 1);

/** The offsets in a stretch of time: `offsets[i]` applies before `changes[i]`, the last one to the end. */
interface Changing {
  readonly changes: readonly Instant[];
  readonly offsets: readonly OffsetMs[];
}

/** One zone's offsets, filled in on demand. luxon asks Intl, which costs microseconds; this costs nanoseconds. */
export class ZoneClock {
  readonly #zone: Zone;
  readonly #stretches: (OffsetMs | Changing | undefined)[] = [];

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  /** Local time minus UTC. @throws RangeError if there is no such zone. */
  offsetAt(instant: Instant): OffsetMs {
    if (!(instant >= FROM && instant < UNTIL)) return offsetAt(instant, this.#zone);
    const index = Math.floor((instant - FROM) / STRETCH_MS);
    const stretch = this.#stretches[index] ?? this.#fill(index);
    return typeof stretch === 'number' ? stretch : offsetWithin(stretch, instant);
  }

  #fill(index: number): OffsetMs | Changing {
    while (this.#stretches.length < index) this.#stretches.push(undefined);
    return (this.#stretches[index] = this.#zone === 'UTC' ? 0 : readStretch(FROM + index * STRETCH_MS, this.#zone));
  }
}

function offsetWithin({ changes, offsets }: Changing, instant: Instant): OffsetMs {
  let i = 0;
  while (i < changes.length && instant >= (changes[i] as Instant)) i++;
  return offsets[i] as OffsetMs;
}

function readStretch(from: Instant, zone: Zone): OffsetMs | Changing {
  const changes: Instant[] = [];
  const offsets = [askedOffset(from, zone)];
  for (let step = 1; step <= STEPS; step++) {
    const before = offsets[offsets.length - 1] as OffsetMs;
    const after = askedOffset(from + step * STEP_MS, zone);
    if (after === before) continue;
    changes.push(findChange(from + (step - 1) * STEP_MS, from + step * STEP_MS, before, zone));
    offsets.push(after);
  }
  return changes.length === 0 ? (offsets[0] as OffsetMs) : { changes, offsets };
}

const clocks = new Map<Zone, ZoneClock>();

/** The clock of a zone, at most one for each zone of the database. @throws RangeError if there is no such zone. */
export function clockOf(zone: Zone): ZoneClock {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new ZoneClock(zone);
  clock.offsetAt(FROM);
  clocks.set(zone, clock);
  return clock;
}
