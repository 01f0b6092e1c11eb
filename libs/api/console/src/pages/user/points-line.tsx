import { answerOf, api } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Line } from '../../charts/line.tsx';
import { Card, Loaded } from '../../ui/elements.tsx';
import { todayIn } from '../../ui/format.ts';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** A user's total in a system, day by day on the user's clock. */
export function PointsLine(props: { readonly id: string; readonly system: string; readonly zone: string }) {
  const { id, system, zone } = props;
  const summary = useResource(
    (signal) => {
      const today = Date.parse(todayIn(zone));
      const date = (back: number) => new Date(today - back * DAY_MS).toISOString().slice(0, 10);
      const query = { aggregation: 'daily' as const, start_date: date(DAYS - 1), end_date: date(0) };
      const path = { id, key: system };
      return answerOf(api.GET('/v1/users/{id}/points/{key}/event-summary', { params: { path, query }, signal }));
    },
    [id, system, zone],
  );
  return (
    <Card title={`${system}, the last ${DAYS} days`}>
      <Loaded resource={summary} rows={6}>
        {(days) => (
          <Line
            caption={`Total of ${system} by day`}
            unit={system}
            points={days.map(({ date, total }) => ({ date, value: total }))}
          />
        )}
      </Loaded>
    </Card>
  );
}
