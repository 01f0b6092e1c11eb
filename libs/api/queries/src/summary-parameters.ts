import { type DateRange, daysBetween, type Frequency, type LocalDate } from '@laurel/calendar';
import type { Query } from '@laurel/runtime';
import { QueryParameters } from './query-parameters.ts';

/** Most dates in a summary. */
const LONGEST_SUMMARY = 400;

/** The parameters of a summary. Both dates are required and inclusive (specification, section 6). @throws ProblemError 422 */
export function summaryParameters(query: Query): DateRange & { readonly aggregation: Frequency } {
  const parameters = new QueryParameters(query);
  const aggregation = parameters.choice('aggregation', ['daily', 'weekly', 'monthly']);
  return { aggregation, ...rangeIn(parameters, ['start_date', 'startDate'], ['end_date', 'endDate']) };
}

/** The range from `from` to `to`, both required and inclusive. @throws ProblemError 422 */
export const dayRange = (query: Query): DateRange =>
  rangeIn(new QueryParameters(query), ['from', 'from'], ['to', 'to']);

/** A parameter, and its other name. */
type Names = readonly [string, string];

function rangeIn(parameters: QueryParameters, first: Names, last: Names): DateRange {
  const from = requiredDate(parameters, first);
  const to = requiredDate(parameters, last);
  if (from !== null && to !== null) {
    if (to < from) parameters.refuse(last[0], `must not be before ${first[0]}`);
    else if (daysBetween(from, to) >= LONGEST_SUMMARY)
      parameters.refuse(last[0], `must be at most ${LONGEST_SUMMARY} days from ${first[0]}`);
  }
  parameters.check();
  if (from === null || to === null) throw new Error('a date that is missing was not refused');
  return { from, to };
}

function requiredDate(parameters: QueryParameters, [name, otherName]: Names): LocalDate | null {
  if (!parameters.isPresent(name) && !parameters.isPresent(otherName)) parameters.refuse(name, 'is required');
  return parameters.date(name, otherName);
}
