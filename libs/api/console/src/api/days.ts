import { answerOf, api, type Schemas } from './client.ts';

export type Day = Schemas['DayCounts'];

/** Explains the days of the counters below a chart. */
export const ABOUT_DAYS =
  'A day is a date on each user’s clock. The last one is today in UTC: where it is tomorrow already, that day is not shown yet.';

/** Choices for how many days a page covers. */
export const DAYS_BACK = [30, 90, 365] as const;

/** The counters of the last days; `counters` is undefined for a day without any. @throws Refused */
export async function countersByDay(
  days: number,
  signal: AbortSignal,
): Promise<readonly { readonly date: string; readonly counters: Day | undefined }[]> {
  const dates = lastDays(days);
  const query = { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
  const answer = await answerOf(api.GET('/admin/v1/days', { params: { query }, signal }));
  const byDate = new Map(answer.days.map((day) => [day.date, day]));
  return dates.map((date) => ({ date, counters: byDate.get(date) }));
}

/** The last `count` dates in UTC, ending with the present one. */
function lastDays(count: number): readonly string[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, day) =>
    new Date(now - (count - 1 - day) * 86_400_000).toISOString().slice(0, 10),
  );
}
