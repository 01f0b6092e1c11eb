const QUARTER_OF_AN_HOUR = 900_000;
const DAY = 86_400_000;
/** By zone: its format, and the day of the latest quarter of an hour. Offsets change only at full quarters. */
const zones = new Map();

/** Days since 1970-01-01 on the clock of the zone. */
export function localDay(name, now) {
  let zone = zones.get(name);
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: name, dateStyle: 'short' });
    zones.set(name, (zone = { format, quarter: NaN, day: NaN }));
  }
  const quarter = Math.floor(now / QUARTER_OF_AN_HOUR);
  if (zone.quarter !== quarter) {
    zone.quarter = quarter;
    zone.day = Date.parse(zone.format.format(now)) / DAY;
  }
  return zone.day;
}

const texts = new Map();
export function dateOf(day) {
  let text = texts.get(day);
  if (text === undefined) texts.set(day, (text = new Date(day * DAY).toISOString().slice(0, 10)));
  return text;
}
