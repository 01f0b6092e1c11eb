// Compares what a running service has counted by day, length of streak, level and total with a plain recount of its
// exports:
//
//   node tools/check-counters.mjs --history FILE --state FILE --data-dir DIR [--keep FILE]
//
// LAUREL_PORT and LAUREL_API_KEY must be those of the service. `--history`: the import of everything that the service
// holds, which is the only source of each event's zone; `--state`: the output of `laurel state`; `--keep`: the file to
// which the recount is written, for tools/check-rebuild.mjs. Exit code 1 if a number differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { inService, nothingIsDue } from './recount/nothing-is-due.mjs';
import { askService, differences, linesOf, numbersIn, readCounters } from './recount/counters.mjs';
import { recount } from './recount/recount.mjs';

const SHOWN = 20;

const option = { type: 'string' };
const { values } = parseArgs({ options: { history: option, state: option, 'data-dir': option, keep: option } });

await inService(values['data-dir'], nothingIsDue);
const lines = linesOf(gunzipSync(readFileSync(values.history)).toString('utf8'));
const { users } = JSON.parse(readFileSync(values.state, 'utf8'));
const events = withZones(await askService('/admin/v1/export/events'), lines);
const awards = await askService('/admin/v1/export/awards');
const systems = [...new Set(awards.map(({ points }) => points))];
const levels = await Promise.all(systems.map((system) => askService(`/v1/points/${system}/levels`)));
const recounted = recount(
  { events, awards, users },
  Object.fromEntries(systems.map((system, place) => [system, levels[place]])),
);
if (values.keep) writeFileSync(values.keep, JSON.stringify(recounted));
const found = differences(recounted, await readCounters(askService, recounted));
for (const finding of found.slice(0, SHOWN)) console.log(finding);
console.log(`${numbersIn(recounted)} numbers recounted from ${events.length} events, ${found.length} of them differ`);
process.exitCode = events.length > 0 && found.length === 0 ? 0 : 1;

/**
 * Adds the zone of each event, which only the import names. The exported events are the imported ones in the same
 * order.
 */
function withZones(exported, imported) {
  const zones = new Map();
  let place = 0;
  return exported.map((event) => {
    for (; ; place++) {
      const line = imported[place];
      if (line === undefined) throw new Error(`event ${event.id} is not in the history, or not in its order`);
      if (isOf(event, line)) break;
    }
    const { id, tz } = imported[place++].user;
    if (tz !== undefined) zones.set(id, tz);
    return { ...event, tz: zones.get(id) ?? 'UTC' };
  });
}

function isOf({ timestamp, userId, metric, value }, line) {
  return (
    userId === line.user.id &&
    metric === line.metric &&
    value === line.value &&
    Date.parse(timestamp) === Date.parse(line.timestamp)
  );
}
