import { dayCounts } from '../days.ts';
import { operationsOf } from './operation.ts';
import { FIRST_DAY, LAST_DAY } from './parameters.ts';

export const DAY_OPERATIONS = operationsOf('Operations', {
  listDays: {
    method: 'get',
    path: '/admin/v1/days',
    scope: 'read',
    summary: 'Count events, users and points by day',
    description: 'Read from counters that are updated with each event. Dates are those of each user’s own time zone.',
    parameters: [FIRST_DAY, LAST_DAY],
    answers: { 200: { description: 'Every requested date, including empty and future ones.', schema: dayCounts } },
    problems: ['invalid_request'],
  },
});
