import { lastDays } from '../ui/format.ts';
import { answerOf, api, type Schemas } from './client.ts';

export type Day = Schemas['DayCounts'];

/** How far back a page may look. */
export const SPANS = [30, 90, 365] as const;

/** The counters of the last days; of a day without any, `counters` is undefined. @throws Refused */
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
