// Replays a recorded history event by event, under a clock that stops at each event and at each sweep. The service must
// create the same reminders, for the same users at the same instants, as a plain recount of the history:
//
//   node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/check-reminders.mjs HISTORY
//     --config FILE [--from INSTANT] [--events N]
//
// The configuration must have a daily streak without freezes. `--from`: leaves out earlier events; `--events`: only N
// events from there on; without it, all. Exit code 1 if a reminder differs.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parseDocument } from '@laurel/configuration';
import { ACCOUNT } from '@laurel/kernel';
import { createClock } from '@laurel/runtime';
import { startService } from '../apps/standalone/src/start-service.ts';
import { QUIET } from '../apps/standalone/src/testing/quiet.ts';
import { openTestDatabase } from '../libs/testing/src/database/database.ts';
import { recountReminders } from './recount/reminders.mjs';

const SHOWN = 20;
const SWEEP_EVERY_MS = 600_000;
/** How long after the last event the check goes on: by then everything that can become due has become due. */
const BEHIND_MS = 40 * 86_400_000;
const MILLIONTHS = 1_000_000n;
/** Outcomes are read this often, before any is deleted for its age. */
const READ_EVERY_MS = 10 * 86_400_000;
/** Reminders are created this often, so that none is created so late that it is dropped. */
const MAKE_EVERY_MS = 1_800_000;
const OUTGOING = {
  events: ['streak.at_risk', 'emails.recap_due', 'emails.reactivation_due'],
  keep: '30d',
  atRisk: { at: '18:00' },
  recap: { day: 'monday', at: '09:00' },
  reactivation: { days: [3, 7, 30] },
};

const option = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { config: option, from: option, events: option },
});
const [history] = positionals;
if (!history || !values.config) {
  console.error('usage: tools/check-reminders.mjs HISTORY --config FILE [--from INSTANT] [--events N]');
  process.exit(2);
}

const { document } = parseDocument(readFileSync(values.config, 'utf8'), values.config);
const lines = linesOf(history);
const until = Math.ceil((Date.parse(lines.at(-1).timestamp) + BEHIND_MS) / SWEEP_EVERY_MS) * SWEEP_EVERY_MS;
const reminded = await remindedBy({ ...document, outgoing: OUTGOING });
const recounted = recountReminders(lines, termsOf(document), until);
const findings = [
  ...missingIn(recounted, reminded).map((words) => `reminded, but not by the recount: ${words}`),
  ...missingIn(reminded, recounted).map((words) => `not reminded: ${words}`),
];
for (const finding of findings.slice(0, SHOWN)) console.log(finding);
console.log(`${lines.length} events, ${recounted.length} reminders recounted, ${findings.length} differ`);
process.exit(recounted.length > 0 && findings.length === 0 ? 0 : 1);

function linesOf(file) {
  const all = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  const parsed = all.map((line) => JSON.parse(line));
  const first = values.from === undefined ? 0 : parsed.findIndex(({ timestamp }) => timestamp >= values.from);
  return parsed.slice(first, values.events === undefined ? undefined : first + Number(values.events));
}

function termsOf({ streak }) {
  if (streak.frequency !== 'daily' || streak.mode !== 'any' || streak.freezes)
    throw new Error('the recount knows daily streaks of any of the conditions, without freezes');
  return {
    ...{ atRisk: 18 * 60, recap: { weekday: 1, minutes: 9 * 60 }, reactivation: OUTGOING.reactivation.days },
    conditions: Object.fromEntries(streak.conditions.map(({ metric, threshold }) => [metric, threshold])),
    sweepEveryMs: SWEEP_EVERY_MS,
  };
}

/** The reminders of the service, in the format of the recount. */
async function remindedBy(document) {
  let now = Date.parse(lines[0].timestamp) - 1_000;
  const clock = { ...createClock({ type: 'system' }), now: () => now };
  const database = await openTestDatabase([]);
  const failed = (error) => {
    throw error;
  };
  const service = await startService(database.connection, clock, {
    ...QUIET,
    onSweepFailure: failed,
    onOutcomesFailure: failed,
  });
  const words = [];
  try {
    const { engine, outcomes, outcomeReader } = service;
    await engine.publishConfiguration(ACCOUNT, document);
    const subjects = await subjectsOf(database.sql);
    let [read, readAt, madeAt] = [0, now, now];
    /**
     * Moves the clock. If this reaches the time for creating reminders, those of everything that was settled before are
     * created first.
     */
    const moveTo = async (at) => {
      if (at - madeAt > MAKE_EVERY_MS) {
        await outcomeReader.catchUp();
        madeAt = at;
      }
      now = at;
    };
    const collect = async () => {
      readAt = now;
      await outcomeReader.catchUp();
      for (let some; (some = await outcomes.read(ACCOUNT, { after: read, limit: 1_000 })).length > 0;) {
        words.push(...some.map(({ body }) => inWords(JSON.parse(body))));
        read = some.at(-1).sequence;
      }
    };
    const sweepUntil = async (at) => {
      for (;;) {
        const [{ due }] = await database.sql.query(
          'select extract(epoch from min(due_at)) * 1000 as due from user_states',
          [],
        );
        if (due === null) return;
        const tick = Math.ceil(Math.max(Number(due), now + 1) / SWEEP_EVERY_MS) * SWEEP_EVERY_MS;
        if (tick >= at) return;
        await moveTo(tick);
        await engine.sweep();
        if (now - readAt > READ_EVERY_MS) await collect();
      }
    };
    for (const group of together()) {
      await sweepUntil(group.at);
      await moveTo(group.at);
      const recorded = await engine.submit(group.lines.map((line) => commandOf(line, subjects)));
      for (const { kind } of recorded) if (kind !== 'recorded') throw new Error(`an event was not recorded: ${kind}`);
    }
    await sweepUntil(until + 1);
    await collect();
    return words.filter((line) => line !== null).sort();
  } finally {
    await service.close();
    await database.close();
  }
}

/** Groups the lines with the same instant. */
function* together() {
  for (let place = 0; place < lines.length;) {
    const at = Date.parse(lines[place].timestamp);
    const group = [];
    for (; place < lines.length && Date.parse(lines[place].timestamp) === at; place++) group.push(lines[place]);
    yield { at, lines: group };
  }
}

async function subjectsOf(sql) {
  const users = [...new Set(lines.map(({ user }) => user.id))];
  const subjects = new Map(users.map((id, place) => [id, place + 1]));
  await sql.query(
    `insert into subjects select $1, subject, id, '' from unnest($2::bigint[], $3::text[]) as u (subject, id)`,
    [ACCOUNT, [...subjects.values()], users],
  );
  return subjects;
}

function commandOf({ metric, user, value }, subjects) {
  return {
    type: 'RecordMetricEvent',
    account: ACCOUNT,
    subject: subjects.get(user.id),
    metric,
    value: BigInt(value) * MILLIONTHS,
    user: user.tz === undefined ? {} : { tz: user.tz },
    attributes: new Map(),
    keyHash: null,
    occurredAt: null,
  };
}

function inWords({ type, timestamp, user, streak, expiresAt, recap, reactivation }) {
  switch (type) {
    case 'streak.at_risk':
      return `${user.id} ${type} ${withMs(timestamp)} length ${streak.length} ends ${withMs(expiresAt)}`;
    case 'emails.recap_due': {
      const totals = Object.keys(recap.totals).sort();
      const sums = totals.map((key) => `${key} ${recap.totals[key]}`);
      return `${user.id} ${type} ${withMs(timestamp)} ${recap.periodStart} ${sums.join()}`;
    }
    case 'emails.reactivation_due': {
      const { messageNumber, daysSinceLastActive } = reactivation;
      return `${user.id} ${type} ${withMs(timestamp)} message ${messageNumber} after ${daysSinceLastActive}`;
    }
    default:
      return null;
  }
}

function withMs(timestamp) {
  return new Date(timestamp).toISOString();
}

/** The entries of `others` that are missing in `list`, each as often as it is missing. */
function missingIn(list, others) {
  const counts = new Map();
  for (const words of list) counts.set(words, (counts.get(words) ?? 0) + 1);
  return others.filter((words) => {
    const left = counts.get(words) ?? 0;
    counts.set(words, left - 1);
    return left <= 0;
  });
}
