import { parseDay } from './days.ts';
import { instantOnDay } from './instant-on-day.ts';

it.each([
  ['UTC', '2024-03-31', '18:00', '2024-03-31T18:00:00.000Z'],
  ['Europe/Berlin', '2024-03-30', '18:00', '2024-03-30T17:00:00.000Z'],
  ['Europe/Berlin', '2024-03-31', '18:00', '2024-03-31T16:00:00.000Z'],
  ['Europe/Berlin', '2024-03-31', '02:30', '2024-03-31T01:00:00.000Z'],
  ['Europe/Berlin', '2024-10-27', '02:30', '2024-10-27T00:30:00.000Z'],
  ['Europe/Berlin', '2024-10-27', '18:00', '2024-10-27T17:00:00.000Z'],
  ['Australia/Lord_Howe', '2024-10-06', '02:15', '2024-10-05T15:30:00.000Z'],
  ['America/Havana', '2024-03-10', '00:00', '2024-03-10T05:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-30T10:00:00.000Z'],
])('in %s on %s the clock first shows %s at %s', (zone, date, time, instant) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  expect(new Date(instantOnDay(parseDay(date), hours * 60 + minutes, zone)).toISOString()).toBe(instant);
});
