// The rules alone: node bench/programs/rules.mjs FILE CONFIG
//
// Applies the events of a history from nothing, twice, and measures the second time: the code is warm then. Its last line is JSON:
// `microseconds` of CPU for an event, and `seen`, which sums up what was decided. `--before COMMIT` runs the program of that name in the
// other commit, so change neither what this takes nor what it prints, nor what is measured.
import { readFileSync } from 'node:fs';
import { exactOf, roundedAmount } from '@laurel/amounts';
import { applyToUser, draftOf, newUser, planOf } from '@laurel/testing/applying';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { EffectList } from '@laurel/kernel';
import { LeaderboardsArea } from '@laurel/leaderboards';

const ACCOUNT = 'default';
const BATCH = 250;

const [file, config] = process.argv.slice(2);
const { document, problems } = parseDocument(readFileSync(config, 'utf8'), config);
if (problems) throw new Error(JSON.stringify(problems));
const plan = planOf(compileHistory(ACCOUNT, [{ version: 1, document, publishedAt: 0 }]).at(1));
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const subjects = new Map();
const events = lines.map((line, index) => eventOf(JSON.parse(line), index + 1));

function eventOf({ metric, user: { id, ...fields }, value, timestamp }, position) {
  const eventId = `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`;
  return {
    position,
    eventId,
    subject: subjectOf(id),
    metric,
    value: roundedAmount(value),
    fields,
    occurredAt: Date.parse(timestamp),
  };
}

function subjectOf(id) {
  if (!subjects.has(id)) subjects.set(id, subjects.size + 1);
  return subjects.get(id);
}

async function apply() {
  const boards = new LeaderboardsArea({ query: () => Promise.resolve([]) }, { capacityBytes: 2 ** 40 });
  const states = new Map();
  let drafts = new Map();
  const seen = { awards: 0, awarded: 0n, ranks: 0, places: 0, completed: 0 };
  let layer = boards.openLayer(null);
  for (let index = 0; index < events.length; index++) {
    if (index % BATCH === 0) {
      layer.publish();
      layer = boards.openLayer(null);
      for (const [id, draft] of drafts) states.set(id, draft);
      drafts = new Map();
    }
    const { position, eventId, subject, metric, value, fields, occurredAt } = events[index];
    const event = { type: 'MetricEventRecorded', subject, metric, value, user: fields };
    const reported = { metric: plan.users.metricByKey.get(metric), value: exactOf(value) };
    const user = { createdAt: 0, zone: '', previousZone: '', day: 0, total: null };
    const occasion = { account: ACCOUNT, subject, position, eventId, occurredAt, event, reported, user };
    const emitter = new EffectList(occasion, plan.configuration);
    applyToUser(draftFor(subject, states, drafts), occasion, plan, emitter);
    const { missing } = layer.apply(occasion, plan.configuration, emitter, false);
    if (missing !== undefined) {
      await boards.load(missing);
      layer.apply(occasion, plan.configuration, emitter, false);
    }
    for (const effect of emitter.effects) note(seen, effect);
  }
  return { ...seen, awarded: String(seen.awarded) };
}

function draftFor(subject, states, drafts) {
  let draft = drafts.get(subject);
  if (draft === undefined) {
    const known = states.get(subject);
    draft = known === undefined ? newUser(plan) : draftOf(known);
    drafts.set(subject, draft);
  }
  return draft;
}

function note(seen, effect) {
  switch (effect.type) {
    case 'PointsAwarded':
      seen.awards++;
      seen.awarded += BigInt(effect.awarded);
      break;
    case 'AchievementCompleted':
      seen.completed++;
      break;
    case 'RankChanged':
      seen.ranks++;
      seen.places += effect.rank ?? 0;
      break;
  }
}

await apply();
const before = process.cpuUsage();
const seen = await apply();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ microseconds: (user + system) / events.length, seen }));
