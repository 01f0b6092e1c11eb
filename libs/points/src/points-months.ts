import { MonthlyChanges } from '@laurel/contracts';

/** What the recorded awards of a user added to a system on each date. */
export const POINTS_MONTHS = new MonthlyChanges('points_months', 'system', 'systems');
