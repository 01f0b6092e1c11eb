import { openTestDatabase } from '@laurel/testing/database';
import { endOfDate, localDate } from './local-dates.ts';
import { offsetPeriods } from './offsets.ts';
import { zoneNames } from './zones.ts';

const FROM = Date.UTC(1990, 0, 1);
/**
 * Postgres has tz data of its own, in another release than Intl's. Releases differ in what is to come and in corrections of the
 * past, so up to here every zone must agree but for those few whose history was corrected between two releases …
 */
const SETTLED = Date.UTC(2024, 0, 1);
/** … and from there to here all but a few zones, whose governments have decided since. */
const UNTIL = Date.UTC(2037, 11, 31);
const MAY_DIFFER = 5;

/** Zones that have done something odd at midnight or to a date, and every sixteenth of the others. */
const ODD = [
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Amman',
  'Asia/Gaza',
  'Africa/Cairo',
  'America/Asuncion',
  'America/Havana',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Pacific/Enderbury',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Asia/Tehran',
  'Asia/Pyongyang',
  'America/Caracas',
  'Europe/Istanbul',
  'Atlantic/Azores',
];
const ZONES = [...new Set([...ODD, ...zoneNames().filter((_, index) => index % 16 === 0)])];

interface Asked {
  readonly zone: string;
  readonly instant: number;
}

/** A second before, at, and a second after each change of the zone's offset, and the same around the ends of the dates beside it. */
function moments(zone: string): Asked[] {
  const changes = offsetPeriods(FROM, UNTIL, zone)
    .slice(1)
    .map((span) => span.from);
  const ends = changes.flatMap((change) =>
    [change - 86_400_000, change].map((day) => endOfDate(localDate(day, zone), zone)),
  );
  return [...changes, ...ends, FROM, UNTIL].flatMap((edge) =>
    [-1000, 0, 1000].map((shift) => ({ zone, instant: edge + shift })),
  );
}

describe('local dates, compared with Postgres,', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    database = await openTestDatabase([]);
  });
  afterAll(() => database.close());

  async function knownZones(): Promise<string[]> {
    const rows = await database.sql.query<{ name: string }>('select name from pg_timezone_names', []);
    const names = new Set(rows.map((row) => row.name));
    return ZONES.filter((zone) => names.has(zone));
  }

  async function differing(asked: readonly Asked[]): Promise<Asked[]> {
    const rows = await database.sql.query<{ date: string }>(
      `select (to_timestamp(instant) at time zone zone)::date::text as date
         from unnest($1::text[], $2::float8[]) with ordinality as asked(zone, instant, place)
        order by place`,
      [asked.map((each) => each.zone), asked.map((each) => each.instant / 1000)],
    );
    expect(rows).toHaveLength(asked.length);
    return asked.filter(({ zone, instant }, index) => rows[index]!.date !== localDate(instant, zone));
  }

  it('agree around every change of offset in many zones from 1990 to 2037', async () => {
    const zones = await knownZones();
    expect(zones.length).toBeGreaterThan(50);
    const asked = zones.flatMap(moments);
    expect(asked.length).toBeGreaterThan(10_000);
    const wrong = await differing(asked);
    const zonesOf = (some: readonly Asked[]) => [...new Set(some.map((each) => each.zone))];
    expect(zonesOf(wrong.filter(({ instant }) => instant < SETTLED))).toEqual([]);
    expect(zonesOf(wrong).length).toBeLessThanOrEqual(MAY_DIFFER);
  });
});
