import { type DateRange, daysBetween, type Frequency, type LocalDate } from '@laurel/calendar';
import { type Query, QueryParameters } from './query-parameters.ts';

/** Dates in one summary. */
const LONGEST_SUMMARY = 400;

/** What is asked of a summary; both dates are required and inclusive (specification, section 6). @throws ProblemError 422 */
export function summaryParameters(query: Query): DateRange & { readonly aggregation: Frequency } {
  const parameters = new QueryParameters(query);
  const aggregation = parameters.choice('aggregation', ['daily', 'weekly', 'monthly']);
  const from = requiredDate(parameters, 'start_date', 'startDate');
  const to = requiredDate(parameters, 'end_date', 'endDate');
  if (from !== null && to !== null) {
    if (to < from) parameters.refuse('end_date', 'must not be before start_date');
    else if (daysBetween(from, to) >= LONGEST_SUMMARY)
      parameters.refuse('end_date', `must be at most ${LONGEST_SUMMARY} days from start_date`);
  }
  parameters.check();
  if (from === null || to === null) throw new Error('a date that is missing was not refused');
  return { aggregation, from, to };
}

function requiredDate(parameters: QueryParameters, name: string, otherName: string): LocalDate | null {
  if (!parameters.isPresent(name) && !parameters.isPresent(otherName)) parameters.refuse(name, 'is required');
  return parameters.date(name, otherName);
}
