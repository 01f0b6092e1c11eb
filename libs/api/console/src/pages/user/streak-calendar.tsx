import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Card, Empty, Loaded, Table, When } from '../../ui/elements.tsx';
import { Corrected } from '../../ui/event-row.tsx';
import { titleOf } from '../../ui/event-words.ts';
import { counted, exact, whole } from '../../ui/format.ts';
import { Question } from '../../ui/question.tsx';
import { Incomplete } from './incomplete.tsx';

type Period = Schemas['ExplainedPeriod'];
type ZoneChange = Schemas['ZoneChange'];

interface Shown {
  readonly periods: readonly Period[];
  readonly changes: readonly ZoneChange[];
}

/** Number of periods in one answer. */
const PERIODS = 100;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const SAID: Readonly<Record<string, string>> = {
  met: 'met',
  bridged: 'bridged by a freeze',
  skipped: 'skipped',
  excused: 'excused by hand',
  missed: 'missed',
  open: 'not met yet',
};

/** The periods of the streak, which explain its length. Days are arranged in one column per week. */
export function StreakCalendar({ id, zone }: { readonly id: string; readonly zone: string }) {
  const [asTable, setAsTable] = useState(false);
  const streak = useResource(
    (signal) =>
      answerOf(
        api.GET('/admin/v1/users/{id}/explain/streak', {
          params: { path: { id }, query: { periods: PERIODS } },
          signal,
        }),
      ),
    [id],
  );
  const held = useResource(
    (signal) => answerOf(api.GET('/v1/users/{id}/streak', { params: { path: { id } }, signal })),
    [id],
  );
  const periods = streak.value?.periods ?? [];
  return (
    <Card
      title="Streak"
      action={
        periods.length > 0 && (
          <button type="button" class="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As a calendar' : 'As a table'}
          </button>
        )
      }
    >
      <Loaded resource={streak}>
        {(answer) =>
          periods.length === 0 ? (
            <Empty title="No periods yet">
              <p>Either no streak is configured, or nothing has been recorded.</p>
            </Empty>
          ) : (
            <>
              <Incomplete answer={answer} without="what was reached in each period" onAgain={streak.reload} />
              {asTable ? (
                <PeriodTable periods={periods} changes={answer.zoneChanges} zone={zone} />
              ) : (
                <Calendar periods={periods} changes={answer.zoneChanges} />
              )}
              <Freezes streak={held.value} />
              <LastEnd of={answer} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const LastEnd = ({ of: { ends } }: { readonly of: Schemas['ExplainedStreak'] }) =>
  ends?.[0] !== undefined && (
    <p class="muted">
      The last one ended <When at={ends[0].at} zone={ends[0].zone} /> at a length of {whole(ends[0].length)}.
    </p>
  );

/** Number of missed days that freezes can bridge before the streak ends. */
const Freezes = ({ streak }: { readonly streak: Schemas['UserStreak'] | null }) =>
  streak?.freezes !== undefined && (
    <p class="muted">
      {counted(streak.freezes, 'freeze')} of at most {whole(streak.maxFreezes ?? streak.freezes)} left to bridge what is
      missed
      {(streak.freezeAutoEarnInterval ?? null) !== null &&
        `; ${whole(streak.freezeAutoEarnAmount ?? 0)} more every ${counted(streak.freezeAutoEarnInterval ?? 0, 'day')}`}
      .
    </p>
  );

const datesOf = ({ periodStart, periodEnd }: Period): string =>
  periodStart === periodEnd ? periodStart : `${periodStart} to ${periodEnd}`;

/** The user's clocks during the period, earliest first, if the clock changed in it. */
const clockIn = ({ periodStart, periodEnd }: Period, changes: readonly ZoneChange[]): string =>
  changes
    .filter(({ localTime }) => periodStart <= localTime.slice(0, 10) && localTime.slice(0, 10) <= periodEnd)
    .map(({ from, to }) => `${from} → ${to}`)
    .toReversed()
    .join(', ');

/** The user's progress in each condition. */
const progressIn = ({ conditions }: Period): string =>
  (conditions ?? [])
    .map(({ metric, progress, threshold }) => `${metric} ${exact(progress)} of ${exact(threshold)}`)
    .join(', ');

/** A period in one line. */
const lineOf = (period: Period, clock: string): string =>
  [
    `${datesOf(period)}: ${SAID[period.status] ?? period.status}`,
    `streak ${period.length}`,
    progressIn(period),
    clock && `clock ${clock}`,
  ]
    .filter(Boolean)
    .join(', ');

/** The dates of a period. A date never breaks over two lines. */
const Dates = ({ of: { periodStart, periodEnd } }: { readonly of: Period }) => (
  <>
    <time>{periodStart}</time>
    {periodStart !== periodEnd && ' to '}
    {periodStart !== periodEnd && <time>{periodEnd}</time>}
  </>
);

const PeriodTable = ({ periods, changes, zone }: Shown & { readonly zone: string }) => (
  <div class="tall">
    <Table
      caption="Periods of the streak, newest first"
      rows={periods}
      keyOf={({ periodStart }) => periodStart}
      columns={[
        { name: 'Period', cell: (period) => <Dates of={period} /> },
        { name: 'State', cell: ({ status }) => SAID[status] ?? status },
        { name: 'Length', numeric: true, cell: ({ length }) => whole(length) },
        ...(changes.length > 0 ? [{ name: 'Clock changed', cell: (period: Period) => clockIn(period, changes) }] : []),
        { name: 'Met by', cell: (period) => <MetBy period={period} zone={zone} /> },
        { name: 'Reached', cell: (period) => <div class="sentence">{progressIn(period)}</div> },
      ]}
    />
  </div>
);

const MetBy = ({ period, zone }: { readonly period: Period; readonly zone: string }) =>
  period.eventId !== null && (
    <Question words="Which event?" label={`Which event met ${datesOf(period)}?`}>
      <EventThatMet id={period.eventId} zone={zone} />
    </Question>
  );

function EventThatMet({ id, zone }: { readonly id: string; readonly zone: string }) {
  const event = useResource(
    (signal) => answerOf(api.GET('/admin/v1/events/{eventId}', { params: { path: { eventId: id } }, signal })),
    [id],
  );
  return (
    <Loaded resource={event} rows={1}>
      {(answer) => (
        <div class="sentence">
          {titleOf(answer)} · <When at={answer.at} zone={zone} />
          {answer.corrected && <Corrected corrected={answer.corrected} />}
          <small class="muted">
            <code>{id}</code>
          </small>
        </div>
      )}
    </Loaded>
  );
}

function Calendar({ periods, changes }: Shown) {
  const oldestFirst = periods.toReversed();
  const daily = periods.every(({ periodStart, periodEnd }) => periodStart === periodEnd);
  const met = periods.filter(({ status }) => status === 'met').length;
  const moves = periods.filter((period) => clockIn(period, changes) !== '').length;
  const summary =
    `${counted(met, 'period')} of the last ${periods.length} met` +
    (moves === 0 ? '' : `; the clock changed in ${counted(moves, 'period')}`);
  return (
    <figure class="calendar-figure">
      <div class="scroller" tabIndex={0} role="region" aria-label="Calendar of the streak">
        <div class={daily ? 'calendar daily' : 'calendar'} role="img" aria-label={summary}>
          {daily &&
            Array.from({ length: weekdayOf(oldestFirst[0]?.periodStart ?? '') }, (_, day) => (
              <span key={`gap ${WEEKDAYS[day] ?? ''}`} class="gap" />
            ))}
          {oldestFirst.map((period) => {
            const clock = clockIn(period, changes);
            return (
              <span
                key={period.periodStart}
                class={clock === '' ? period.status : `${period.status} moved`}
                title={lineOf(period, clock)}
              />
            );
          })}
        </div>
      </div>
      <figcaption class="legend">
        <span class="muted">{summary}</span>
        {[...new Set(periods.map(({ status }) => status))].map((status) => (
          <span key={status} class="legend-item">
            <i class={`swatch ${status}`} aria-hidden="true" /> {SAID[status] ?? status}
          </span>
        ))}
        {moves > 0 && (
          <span class="legend-item">
            <i class="swatch moved" aria-hidden="true" /> clock changed
          </span>
        )}
      </figcaption>
    </figure>
  );
}

/** 0 is Monday. */
const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
