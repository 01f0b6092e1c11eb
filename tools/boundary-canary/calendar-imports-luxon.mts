// as: libs/calendar/src/canary.ts
// breaks: nothing
import 'luxon';
