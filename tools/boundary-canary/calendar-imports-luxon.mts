// as: libs/values/calendar/src/canary.ts
// breaks: nothing
import 'luxon';
