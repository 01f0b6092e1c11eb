import { ABOUT_DAYS, countersByDay, DAYS_BACK } from '../api/days.ts';
import { metricNames } from '../api/configuration.ts';
import { useResource } from '../api/resource.ts';
import { Columns } from '../charts/line.tsx';
import { Spark } from '../charts/spark.tsx';
import { Card, Empty, Figure, Loaded, PageHead, Table } from '../ui/elements.tsx';
import { exact, whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { DaysBack } from '../ui/days-back.tsx';

type Days = Awaited<ReturnType<typeof countersByDay>>;

/** Recorded events by metric and day. */
export function Metrics() {
  const [span, setDays] = useQuery('days', String(DAYS_BACK[0]));
  const count = DAYS_BACK.find((days) => String(days) === span) ?? DAYS_BACK[0];
  const days = useResource((signal) => countersByDay(count, signal), [count]);
  const names = useResource(metricNames, []);
  return (
    <>
      <PageHead title="Metrics" about={`Events and their values, day by day. ${ABOUT_DAYS}`}>
        <DaysBack spans={DAYS_BACK} chosen={count} onChoose={setDays} />
      </PageHead>
      <Loaded resource={days} rows={8}>
        {(known) => <Shown days={known} names={names.value ?? new Map()} />}
      </Loaded>
    </>
  );
}

function Shown({ days, names }: { readonly days: Days; readonly names: ReadonlyMap<string, string> }) {
  const metrics = metricsOf(days, names);
  const first = metrics.toSorted((a, b) => b.events - a.events)[0]?.key ?? '';
  const [asked, choose] = useQuery('metric', first);
  const chosen = metrics.find(({ key }) => key === asked) ?? metrics.find(({ key }) => key === first);
  if (chosen === undefined)
    return (
      <Empty title="Nothing was recorded in this time.">
        <p>
          Look further back, or send <a href="/console/first-event">your first event</a>.
        </p>
      </Empty>
    );
  return (
    <>
      <Card title={chosen.name} wide>
        <dl class="inline-figures">
          <Figure label="Events" value={whole(chosen.events)} note={`in ${days.length} days`} />
          <Figure label="Value" value={exact(chosen.value)} note="the sum" />
          <Figure
            label="Value per event"
            value={chosen.events === 0 ? '–' : exact(round(chosen.value / chosen.events))}
          />
        </dl>
        <div class="columns">
          <section>
            <h3>Events by day</h3>
            <Columns
              caption={`Events of ${chosen.name} by day`}
              unit="events"
              points={pointsOf(days, chosen.key, 'events')}
            />
          </section>
          <section>
            <h3>Value by day</h3>
            <Columns
              caption={`Value of ${chosen.name} by day`}
              unit="value"
              points={pointsOf(days, chosen.key, 'value')}
            />
          </section>
        </div>
      </Card>
      <Card title="All metrics" wide>
        <Table
          caption={`All metrics in the last ${days.length} days`}
          rows={metrics}
          keyOf={({ key }) => key}
          columns={[
            {
              name: 'Metric',
              cell: ({ key, name }) => (
                <button type="button" class="quiet link" aria-pressed={key === chosen.key} onClick={() => choose(key)}>
                  {name}
                </button>
              ),
            },
            { name: 'Events', numeric: true, cell: ({ events }) => whole(events) },
            { name: 'Value', numeric: true, cell: ({ value }) => exact(value) },
            {
              name: 'Course',
              cell: ({ key }) => <Spark values={pointsOf(days, key, 'events').map(({ value }) => value)} />,
            },
          ]}
        />
      </Card>
    </>
  );
}

/** Configured metrics, and former ones with recorded events. */
function metricsOf(days: Days, names: ReadonlyMap<string, string>) {
  const keys = new Set([...names.keys(), ...days.flatMap(({ counters }) => Object.keys(counters?.metrics ?? {}))]);
  return [...keys].map((key) => {
    const counted = days.map(({ counters }) => counters?.metrics[key]);
    return {
      key,
      name: names.get(key) ?? key,
      events: counted.reduce((sum, day) => sum + (day?.events ?? 0), 0),
      value: counted.reduce((sum, day) => sum + (day?.value ?? 0), 0),
    };
  });
}

const pointsOf = (days: Days, metric: string, field: 'events' | 'value') =>
  days.map(({ date, counters }) => ({ date, value: counters?.metrics[metric]?.[field] ?? 0 }));

const round = (value: number): number => Math.round(value * 100) / 100;
