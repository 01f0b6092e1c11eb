import { MonthlyChanges } from '@laurel/ports';

/** What a user's metric changed by on each date. */
export const METRIC_MONTHS = new MonthlyChanges('metric_months', 'metric', 'metrics');
