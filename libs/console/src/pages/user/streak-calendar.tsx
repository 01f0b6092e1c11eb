import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Card, Empty, Loaded, Table, When } from '../../ui/elements.tsx';
import { counted, whole } from '../../ui/format.ts';

type Period = Schemas['ExplainedPeriod'];

/** As many as one answer shows. */
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

/** Why the streak is as long as it is: its periods, a column a week where they are days. */
export function StreakCalendar({ id }: { readonly id: string }) {
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
        {({ ends }) =>
          periods.length === 0 ? (
            <Empty title="There are no periods yet.">
              <p>Either no streak is configured, or nothing was recorded.</p>
            </Empty>
          ) : (
            <>
              {asTable ? <PeriodTable periods={periods} /> : <Calendar periods={periods} />}
              <Freezes streak={held.value} />
              {ends !== null && ends.length > 0 && (
                <p class="muted">
                  The last one ended <When at={ends[0]?.at ?? ''} zone={ends[0]?.zone ?? 'UTC'} /> at a length of{' '}
                  {whole(ends[0]?.length ?? 0)}.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** How many days that are missed are bridged before the streak ends. */
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

const PeriodTable = ({ periods }: { readonly periods: readonly Period[] }) => (
  <div class="tall">
    <Table
      caption="Periods of the streak, newest first"
      rows={periods}
      keyOf={({ periodStart }) => periodStart}
      columns={[
        {
          name: 'Period',
          cell: ({ periodStart, periodEnd }) =>
            periodStart === periodEnd ? periodStart : `${periodStart} to ${periodEnd}`,
        },
        { name: 'State', cell: ({ status }) => SAID[status] ?? status },
        { name: 'Length', numeric: true, cell: ({ length }) => whole(length) },
      ]}
    />
  </div>
);

function Calendar({ periods }: { readonly periods: readonly Period[] }) {
  const oldestFirst = periods.toReversed();
  const daily = periods.every(({ periodStart, periodEnd }) => periodStart === periodEnd);
  const met = periods.filter(({ status }) => status === 'met').length;
  const summary = `${counted(met, 'period')} of the last ${periods.length} met`;
  return (
    <figure class="calendar-figure">
      <div class="scroller" tabIndex={0} role="region" aria-label="Calendar of the streak">
        <div class={daily ? 'calendar daily' : 'calendar'} role="img" aria-label={summary}>
          {daily &&
            Array.from({ length: weekdayOf(oldestFirst[0]?.periodStart ?? '') }, (_, day) => (
              <span key={`gap ${WEEKDAYS[day] ?? ''}`} class="gap" />
            ))}
          {oldestFirst.map(({ periodStart, periodEnd, status, length }) => (
            <span
              key={periodStart}
              class={status}
              title={`${periodStart}${periodStart === periodEnd ? '' : ` to ${periodEnd}`}: ${SAID[status] ?? status}, streak ${length}`}
            />
          ))}
        </div>
      </div>
      <figcaption class="legend">
        <span class="muted">{summary}</span>
        {[...new Set(periods.map(({ status }) => status))].map((status) => (
          <span key={status} class="legend-item">
            <i class={`swatch ${status}`} aria-hidden="true" /> {SAID[status] ?? status}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** 0: Monday. */
const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
