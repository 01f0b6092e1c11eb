import { MonthlyChanges } from '@laurel/ports';

/** The change of a user's metric on each date. */
export const METRIC_MONTHS = new MonthlyChanges('metric_months', 'metric', 'metrics');
