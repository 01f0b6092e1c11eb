import { addDays, dateExists, endOfDate, localDate, nextPeriod, periodOf } from '@laurel/calendar';
import fc from 'fast-check';
import { streaksRules } from './rules/streaks.ts';
import { streaksArea } from './streaks-area.ts';
import { definitions, records, starts, tell, zones } from './testing/stories.ts';
import { StreakStory, configurationOf, definitionOf } from './testing/streak-story.ts';

const DAY_MS = 86_400_000;

describe('travelling, for any sequence of zones', () => {
  it('never shortens the time before a streak expires in the home zone', () => {
    const trips = fc.array(fc.record({ zone: zones, when: fc.double({ min: 0, max: 1, noNaN: true }) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(starts, zones, definitions, trips, (start, home, definition, journey) => {
        const story = new StreakStory({ ...definition, mode: 'any', freezes: null }, home);
        story.event(start, { value: 5 });
        const period = periodOf(localDate(start, home), definition.period);
        const end = endOfDate(nextPeriod(period, definition.period).end, home);
        const stops = journey.toSorted((a, b) => a.when - b.when);
        for (const { zone, when } of stops) story.identified(start + Math.floor(when * (end - 1 - start)), zone);
        expect(story.read(end - 1).length).toBe(1);
        expect(story.event(end - 1).streak.length).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a user who meets every period at its last instant', () => {
  it('has a daily streak as long as the dates that the zone showed, across all clock changes', () => {
    fc.assert(
      fc.property(starts, zones, (start, zone) => {
        const story = new StreakStory(definitionOf(), zone);
        let date = localDate(start, zone);
        let shown = 0;
        for (let n = 0; n < 12; n++, date = addDays(date, 1)) {
          if (!dateExists(date, zone)) continue;
          const answerPart = story.event(endOfDate(date, zone) - 1);
          expect(answerPart.streak).toMatchObject({ length: ++shown, periodStart: date });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has a weekly or monthly streak as long as the weeks or months', () => {
    fc.assert(
      fc.property(starts, zones, definitions, (start, zone, definition) => {
        fc.pre(definition.frequency !== 'daily');
        const story = new StreakStory({ ...definition, mode: 'any' }, zone);
        let period = periodOf(localDate(start, zone), definition.period);
        for (let length = 1; length <= 8; length++, period = nextPeriod(period, definition.period)) {
          const answerPart = story.event(endOfDate(period.end, zone) - 1, { value: 3 });
          expect(answerPart.streak).toMatchObject({ length, periodStart: period.start, periodEnd: period.end });
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a streak, for any sequence of events', () => {
  it('is extended at most once per period, and by one', () => {
    fc.assert(
      fc.property(starts, zones, definitions, records, (start, zone, definition, told) => {
        const story = new StreakStory(definition, zone);
        const extended = new Set<string>();
        let at = start;
        let length = 0;
        for (const record of told) {
          const before = story.rows.length;
          const answerPart = tell(story, record, (at += record.afterMs));
          const kept = story.rows.slice(before);
          if (answerPart.extended) {
            const period = answerPart.streak.periodStart!;
            expect(extended.has(period)).toBe(false);
            extended.add(period);
            expect([1, length + 1]).toContain(answerPart.streak.length);
            expect(kept.at(-1)).toMatchObject({
              period_start: period,
              length: answerPart.streak.length,
              used_freeze: false,
            });
            expect(record.kind).toBe('event');
          } else {
            expect([0, length]).toContain(answerPart.streak.length);
            expect(kept.every((row) => row['used_freeze'] || row['length'] === length)).toBe(true);
          }
          length = story.document.streak?.length ?? 0;
        }
        const starts = story.rows.map((row) => row['period_start'] as string);
        expect(starts).toEqual([...new Set(starts)].sort());
      }),
      { numRuns: 250 },
    );
  });

  it('is the same whether or not sweeps come in between', () => {
    fc.assert(
      fc.property(
        starts,
        zones,
        definitions,
        records,
        fc.array(fc.nat({ max: 100 })),
        (start, zone, definition, told, sweeps) => {
          const [swept, alone] = [new StreakStory(definition, zone), new StreakStory(definition, zone)];
          let at = start;
          told.forEach((record, index) => {
            const share = sweeps[index];
            if (share !== undefined && index > 0) swept.swept(at + Math.floor((record.afterMs * share) / 100));
            at += record.afterMs;
            expect(tell(swept, record, at).streak).toEqual(tell(alone, record, at).streak);
          });
          expect(swept.state).toEqual(alone.state);
          expect(swept.rows).toEqual(alone.rows);
          expect(swept.changes).toEqual(alone.changes);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reports every change of length that a reader can see, and no other', () => {
    fc.assert(
      fc.property(
        starts,
        zones,
        definitions,
        records,
        fc.nat({ max: 40 * DAY_MS }),
        (start, zone, definition, told, later) => {
          const story = new StreakStory(definition, zone);
          let at = start;
          for (const record of told) tell(story, record, (at += record.afterMs));
          story.swept((at += later));
          expect(story.changes.at(-1)?.length ?? 0).toBe(story.read(at).length);
          story.changes.forEach((change, index) => {
            expect(change.length).not.toBe(story.changes[index - 1]?.length ?? 0);
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('counts a late import as if it happened at the latest instant so far', () => {
    const late = fc.record({ value: fc.constantFrom(1, 5, -1), daysAgo: fc.nat({ max: 400 }) });
    fc.assert(
      fc.property(starts, zones, definitions, records, late, (start, zone, definition, told, { value, daysAgo }) => {
        const [imported, live] = [new StreakStory(definition, zone), new StreakStory(definition, zone)];
        let at = start;
        for (const story of [imported, live]) {
          at = start;
          story.event(at, { metric: 'other' });
          for (const record of told) tell(story, record, (at += record.afterMs));
        }
        const latest = live.document.latest!;
        const [late, now] = [imported.event(latest - daysAgo * DAY_MS, { value }), live.event(latest, { value })];
        expect(late.streak).toEqual(now.streak);
        expect(late.extended).toBe(now.extended);
        expect(imported.state).toEqual(live.state);
        expect(imported.rows).toEqual(live.rows);
      }),
      { numRuns: 200 },
    );
  });

  it('is decoded to the state that was encoded', () => {
    fc.assert(
      fc.property(starts, zones, definitions, records, (start, zone, definition, told) => {
        const story = new StreakStory(definition, zone);
        let at = start;
        for (const record of told) tell(story, record, (at += record.afterMs));
        const { state, document } = story;
        expect(streaksArea.encode(state)).toEqual(document);
        expect(streaksArea.decode(document)).toEqual(state);
        const plan = streaksRules.compile(configurationOf(definition));
        const underPlan = streaksRules.decode(document, plan);
        expect(streaksRules.encode(underPlan, plan)).toEqual(document);
        expect(underPlan).toEqual(story.applied);
      }),
      { numRuns: 100 },
    );
  });
});

describe('freezes, for any sequence of events', () => {
  it('stay between 0 and the maximum, and never shorten the streak of a user who does not travel', () => {
    fc.assert(
      fc.property(starts, zones, definitions, records, (start, zone, definition, told) => {
        fc.pre(definition.freezes !== null);
        const [frozen, bare] = [
          new StreakStory(definition, zone),
          new StreakStory({ ...definition, freezes: null }, zone),
        ];
        let at = start;
        for (const { tz: _, ...record } of told) {
          const [a, b] = [frozen, bare].map((story) => tell(story, record, at + record.afterMs));
          at += record.afterMs;
          expect(a!.streak.freezes).toBeGreaterThanOrEqual(0);
          expect(a!.streak.freezes).toBeLessThanOrEqual(definition.freezes!.max);
          expect(a!.streak.length).toBeGreaterThanOrEqual(b!.streak.length);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are earned by the closed form as they are earned step by step', () => {
    fc.assert(
      fc.property(
        starts,
        definitions,
        fc.array(fc.nat({ max: 20 * DAY_MS }), { maxLength: 20 }),
        (start, definition, waits) => {
          fc.pre(definition.freezes !== null);
          const { initial, max, earnEvery, earn } = definition.freezes!;
          const story = new StreakStory(definition);
          story.identified(start);
          let [at, held, tick] = [start, initial, start];
          for (const wait of waits) {
            at += wait;
            while (earnEvery !== null && tick + earnEvery * DAY_MS <= at) {
              tick += earnEvery * DAY_MS;
              held = Math.min(max, held + (earn ?? 0));
            }
            expect(story.read(at).freezes).toBe(held);
          }
        },
      ),
    );
  });
});
