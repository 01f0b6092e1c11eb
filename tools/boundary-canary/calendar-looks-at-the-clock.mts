// as: libs/values/calendar/src/canary.ts
// breaks: no-restricted-syntax: Instants come in as arguments
import { DateTime } from 'luxon';
export const now = DateTime.now();
