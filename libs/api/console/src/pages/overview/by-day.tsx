import { ABOUT_DAYS, countersByDay } from '../../api/days.ts';
import { useResource } from '../../api/resource.ts';
import { Columns } from '../../charts/line.tsx';
import { Card, Loaded } from '../../ui/elements.tsx';

const DAYS = 30;
const AGAIN_MS = 60_000;

/** Numbers of events and active users, day by day. */
export function ByDay() {
  const days = useResource((signal) => countersByDay(DAYS, signal), [], AGAIN_MS);
  return (
    <>
      <div class="columns">
        <Card title={`Events, the last ${DAYS} days`}>
          <Loaded resource={days} rows={6}>
            {(known) => (
              <Columns
                caption="Events by day"
                unit="events"
                points={known.map(({ date, counters }) => ({ date, value: counters?.events ?? 0 }))}
              />
            )}
          </Loaded>
        </Card>
        <Card title={`Active users, the last ${DAYS} days`}>
          <Loaded resource={days} rows={6}>
            {(known) => (
              <Columns
                caption="Active users by day"
                unit="users"
                points={known.map(({ date, counters }) => ({ date, value: counters?.activeUsers ?? 0 }))}
              />
            )}
          </Loaded>
        </Card>
      </div>
      <p class="muted">{ABOUT_DAYS}</p>
    </>
  );
}
