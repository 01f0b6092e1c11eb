import { exactOf } from '@laurel/amounts';
import { dayAt, formatDay, weekdayOf, type Instant } from '@laurel/calendar';
import { EffectList, type Configuration } from '@laurel/kernel';
import { metricEvent, sweep, type Happened } from '@laurel/kernel/fixtures';
import { firstInstantAt, shownBy } from '@laurel/ports/fixtures';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { ACCOUNT, configuration, PROTO } from '../users.fixture.ts';
import { usersRules } from './users.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const SWEEP_MS = 20_000;
const METRICS = [PROTO, 'commits'];
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Tehran',
];

interface Life {
  readonly zone: string;
  readonly weekday: number;
  readonly minutes: number;
  readonly days: readonly number[];
  /** Ascending. */
  readonly events: readonly { readonly at: Instant; readonly metric: number; readonly value: number }[];
  /** No sweep comes within it. */
  readonly silence: { readonly from: Instant; readonly to: Instant };
}

const lives: fc.Arbitrary<Life> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    start: fc.constantFrom('2024-03-02', '2024-10-01', '2011-12-20').map((date) => Date.parse(date)),
    weekday: fc.nat(6),
    minutes: fc.constantFrom(9 * 60, 0, 2 * 60 + 30, 23 * 60 + 59),
    days: fc.constantFrom([3, 7, 30], [1], [1, 2], [8, 9]),
    gaps: fc.array(
      fc.record({
        hours: fc.oneof(fc.double({ min: 0, max: 60, noNaN: true }), fc.constantFrom(24, 72, 168, 24.001, 300)),
        metric: fc.nat(1),
        value: fc.integer({ min: -2, max: 9 }),
      }),
      { minLength: 2, maxLength: 30 },
    ),
    silence: fc.record({ after: fc.nat(30), hours: fc.double({ min: 0, max: 90, noNaN: true }) }),
  })
  .map(({ start, gaps, silence, ...rest }) => {
    let at = start;
    const events = gaps.map(({ hours, metric, value }) => ({ at: (at += Math.floor(hours * HOUR_MS)), metric, value }));
    const from = start + silence.after * DAY_MS;
    return { ...rest, events, silence: { from, to: from + silence.hours * HOUR_MS } };
  });

const sweepFor = (due: Instant, { silence }: Life): Instant => {
  const tick = Math.ceil(due / SWEEP_MS) * SWEEP_MS;
  return tick >= silence.from && tick < silence.to ? Math.ceil(silence.to / SWEEP_MS) * SWEEP_MS : tick;
};

const versionOf = ({ weekday, minutes, days }: Life): Configuration => ({
  ...configuration,
  outgoing: {
    types: new Set(),
    effects: new Set(),
    awards: null,
    keepMs: 0,
    atRisk: null,
    recap: { weekday, minutes },
    reactivation: days,
    announceTop: 1,
  },
});

/** What the rules emit, stored and read again before each event. */
function reminded(life: Life): readonly string[] {
  const plan = usersRules.compile(versionOf(life));
  let stored: unknown = usersRules.encode(usersRules.initial(plan), plan);
  const lines: string[] = [];
  const tell = (at: Instant, happened: Happened) => {
    const state = usersRules.decode(JSON.parse(JSON.stringify(stored)), plan);
    const user = { createdAt: at, zone: life.zone, previousZone: life.zone, day: dayAt(at, life.zone), total: null };
    const event = { account: ACCOUNT, subject: 7, position: 1, eventId: 'e', occurredAt: at, recordedAt: at };
    const out = new EffectList({ occurredAt: at, recordedAt: at, user }, { version: 1 });
    usersRules.apply(state, { ...event, ...happened, user }, plan, out);
    stored = usersRules.encode(state, plan);
    for (const effect of out.effects)
      if (effect.type === 'RecapDue') {
        const totals = effect.totals.map(({ metric, total }) => `${metric} ${Number(total) / 1_000_000}`).join();
        lines.push(`${effect.at} recap ${formatDay(effect.periodStart)} to ${formatDay(effect.periodEnd)}: ${totals}`);
      } else if (effect.type === 'ReactivationDue')
        lines.push(`${effect.at} message ${effect.message} after ${effect.days}`);
  };
  const sweepUntil = (at: Instant) => {
    for (;;) {
      const due = usersRules.dueAt?.(usersRules.decode(stored, plan), plan) ?? null;
      if (due === null || sweepFor(due, life) >= at) return;
      tell(sweepFor(due, life), sweep());
    }
  };
  for (const { at, metric, value } of life.events) {
    sweepUntil(at);
    tell(at, metricEvent(metric, exactOf(BigInt(value) * 1_000_000n), { tz: life.zone }));
  }
  sweepUntil(Infinity);
  return lines.sort();
}

/** The same, by looking at all events from outside, week by week and pause by pause. */
function recounted(life: Life): readonly string[] {
  const { zone, weekday, minutes, days, events } = life;
  const lines: string[] = [];
  const dated = events.map((event) => ({ ...event, day: shownBy(event.at, zone).day }));
  const [first, last] = [dated[0]?.day ?? 0, dated.at(-1)?.day ?? 0];
  for (let on = first; on <= last + 8; on++) {
    const ofWeek = dated.filter(({ day }) => day >= on - 7 && day < on);
    if (weekdayOf(on) !== weekday || ofWeek.length === 0) continue;
    const due = firstInstantAt(on, minutes, zone);
    const event = events.find(({ at }) => at >= due)?.at ?? Infinity;
    if (Math.min(sweepFor(due, life), event) - due > HOUR_MS) continue;
    const totals = METRICS.flatMap((key, metric) => {
      const own = ofWeek.filter((event) => event.metric === metric);
      return own.length === 0 ? [] : [`${key} ${own.reduce((sum, { value }) => sum + value, 0)}`];
    });
    lines.push(`${due} recap ${formatDay(on - 7)} to ${formatDay(on - 1)}: ${totals.join()}`);
  }
  for (const [index, { at }] of events.entries())
    for (const [message, after] of days.entries()) {
      const due = at + after * DAY_MS;
      const settled = sweepFor(due, life);
      if (settled < (events[index + 1]?.at ?? Infinity) && settled - due <= HOUR_MS)
        lines.push(`${due} message ${message + 1} after ${after}`);
    }
  return lines.sort();
}

describe('recaps and reactivation messages', () => {
  it('are sent once per week with events and per configured day without events, on time or not at all', async () => {
    let count = 0;
    await assertCovering(
      fc.property(lives, (life) => {
        const lines = reminded(life);
        count += lines.length;
        expect(lines).toEqual(recounted(life));
      }),
      { numRuns: 150 },
      () => ({ count: count > 100 }),
    );
  });

  it('are not sent and leave no state if the configuration does not request them', () => {
    const plan = usersRules.compile(configuration);
    const state = usersRules.initial(plan);
    const user = { createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: 0, total: null };
    usersRules.apply(
      state,
      {
        account: ACCOUNT,
        subject: 7,
        position: 1,
        eventId: 'e',
        occurredAt: 0,
        recordedAt: 0,
        ...metricEvent(0, 1),
        user,
      },
      plan,
      new EffectList({ occurredAt: 0, recordedAt: 0, user }, { version: 1 }),
    );
    expect(usersRules.dueAt?.(state, plan)).toBeNull();
    expect(usersRules.encode(state, plan)).not.toHaveProperty('reminders');
  });
});
