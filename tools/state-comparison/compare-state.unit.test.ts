import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const COMMAND = fileURLToPath(new URL('../compare-state', import.meta.url));

const STATE = `{
  "events": 12, "replayed": 0, "asOf": "2026-11-21T00:00:00+00:00",
  "users": {
    "ann": {
      "tz": "Europe/Berlin",
      "totals": { "commits": 9007199254740993.000001, "words": 0.3 },
      "achievements": { "first-commit": "2004-11-24T01:04:44Z" },
      "points": { "xp": 120 },
      "awards": { "xp": 5 },
      "lastAwards": { "xp": [["2004-11-24T01:04:44Z", 10, 110], ["2004-11-25T01:04:44Z", 10, 120]] },
      "streak": { "length": 0, "started": null, "longest": 2, "periods": 2, "periodStart": "2026-11-20",
        "periodEnd": "2026-11-20", "expires": null, "history": { "2004-11-24": 1, "2004-11-25": 2 } }
    },
    "__proto__": {
      "tz": "UTC", "totals": { "commits": 1 }, "achievements": {}, "points": {}, "awards": {}, "lastAwards": {},
      "streak": { "length": 1, "history": { "2004-11-24": 1 } }
    }
  },
  "leaderboards": {
    "monthly": {
      "2004-11-01": [{ "userId": "ann", "rank": 1, "value": 9 }, { "userId": "__proto__", "rank": 2, "value": 1 }],
      "2004-12-01": []
    }
  }
}`;

const folder = mkdtempSync(join(tmpdir(), 'compare-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

function save(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function compare(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** The state with one piece of its text replaced. */
function changed(from: string, to: string): string {
  if (STATE.split(from).length !== 2) throw new Error(`"${from}" is not exactly once in the state`);
  return STATE.replace(from, () => to);
}

const against = (actual: string, ...options: string[]) =>
  compare(save('expected.json', STATE), save('actual.json', actual), ...options);

describe('compare-state', () => {
  it('accepts equal states, zipped or not, and counts what it compared', () => {
    const { status, output } = compare(save('a.json', STATE), save('b.json.gz', gzipSync(STATE)));
    expect(output).toContain(
      'compared 2 users, 3 totals, 1 achievements, 5 awards, 2 last awards, 3 streak periods, 2 runs, 2 ranked rows',
    );
    expect(output).toContain('\n0 differences');
    expect(status).toBe(0);
  });

  it.each([
    ['a total', '"words": 0.3', '"words": 0.31', 'users.ann.totals.words: expected 0.3, found 0.31'],
    [
      'a digit beyond what a double holds',
      '993.000001',
      '993.000002',
      'users.ann.totals.commits: expected 90071992547',
    ],
    ['a whole number beyond what a double holds', '740993.', '740992.', 'users.ann.totals.commits'],
    ['a number written as text', '"words": 0.3', '"words": "0.3"', 'expected 0.3, found "0.3"'],
    ['a zone', 'Europe/Berlin', 'Europe/Paris', 'users.ann.tz: expected "Europe/Berlin", found "Europe/Paris"'],
    [
      'the points',
      '"points": { "xp": 120 }',
      '"points": { "xp": 121 }',
      'users.ann.points.xp: expected 120, found 121',
    ],
    ['how many awards', '"awards": { "xp": 5 }', '"awards": { "xp": 4 }', 'users.ann.awards.xp: expected 5, found 4'],
    ['the total of a last award', '10, 110]', '10, 111]', 'users.ann.lastAwards.xp[0][2]: expected 110, found 111'],
    ['a history entry', '"2004-11-25": 2 }', '"2004-11-25": 1 }', 'users.ann.streak.history.2004-11-25: expected 2'],
    [
      'null to a date',
      '"started": null',
      '"started": "2004-11-24"',
      'streak.started: expected null, found "2004-11-24"',
    ],
    ['a rank', '"rank": 2', '"rank": 3', 'leaderboards.monthly.2004-11-01[1].rank: expected 2, found 3'],
    ['a value on a board', '"value": 9', '"value": 8', 'leaderboards.monthly.2004-11-01[0].value: expected 9, found 8'],
    ['a value of a user named __proto__', '"commits": 1 }', '"commits": 2 }', 'users.__proto__.totals.commits'],
    ['how many events', '"events": 12', '"events": 13', 'events: expected 12, found 13'],
    [
      'an instant by a millisecond',
      '"first-commit": "2004-11-24T01:04:44Z"',
      '"first-commit": "2004-11-24T01:04:44.001Z"',
      'users.ann.achievements.first-commit',
    ],
    ['the day as of which it holds', '"2026-11-21T00:00:00+00:00"', '"2026-11-21T00:00:00+01:00"', 'asOf'],
  ])('finds a change of %s', (_, from, to, difference) => {
    const { status, output } = against(changed(from, to));
    expect(output).toContain(difference);
    expect(output).toContain('\n1 differences');
    expect(status).toBe(1);
  });

  it.each([
    ['a user', '"__proto__": {', '"somebody": {', 'users.__proto__: expected {7 entries}, found (absent)'],
    ['a total', ', "words": 0.3', '', 'users.ann.totals.words: expected 0.3, found (absent)'],
    ['an achievement', '"first-commit": "2004-11-24T01:04:44Z"', '', 'users.ann.achievements.first-commit'],
    ['a last award', ', ["2004-11-25T01:04:44Z", 10, 120]', '', 'users.ann.lastAwards.xp[1]: expected [3 elements]'],
    ['a history entry', '"2004-11-24": 1, ', '', 'users.ann.streak.history.2004-11-24: expected 1, found (absent)'],
    [
      'a run',
      ',\n      "2004-12-01": []',
      '',
      'leaderboards.monthly.2004-12-01: expected [0 elements], found (absent)',
    ],
    ['a ranked row', ', { "userId": "__proto__", "rank": 2, "value": 1 }', '', 'leaderboards.monthly.2004-11-01[1]'],
  ])('finds %s that is missing and, with the files swapped, one too many', (_, from, to, difference) => {
    const missing = against(changed(from, to));
    expect(missing.output).toContain(difference);
    expect(missing.status).toBe(1);

    const tooMany = compare(save('expected.json', changed(from, to)), save('actual.json', STATE));
    expect(tooMany.output).toContain('expected (absent), found');
    expect(tooMany.status).toBe(1);
  });

  it('treats instants of the same moment as equal unless --exact is given', () => {
    const rewritten = changed(
      '"first-commit": "2004-11-24T01:04:44Z"',
      '"first-commit": "2004-11-24T02:04:44.000+01:00"',
    );
    expect(against(rewritten).status).toBe(0);
    expect(against(rewritten, '--exact').status).toBe(1);
  });

  it('treats numbers as equal however they are written', () => {
    expect(against(changed('"words": 0.3', '"words": 3.0e-1')).status).toBe(0);
  });

  it('prints the first 20 differences and counts all', () => {
    const users = (total: number) =>
      Array.from({ length: 1030 }, (_, i) => `"u${i}": { "totals": { "commits": ${total} } }`).join();
    const state = (total: number) => `{ "users": { ${users(total)} }, "leaderboards": {} }`;
    const { status, output } = compare(save('expected.json', state(1)), save('actual.json', state(2)));
    expect(output.match(/: expected 1, found 2/g)).toHaveLength(20);
    expect(output).toContain('users.u19.totals.commits');
    expect(output).toContain('… and 1,010 more\n1,030 differences');
    expect(status).toBe(1);
  });

  it.each([
    ['no JSON', '{ "users": '],
    ['an empty file', ''],
    ['a state without leaderboards', '{ "users": { "ann": {} } }'],
    [
      'leaderboards that are no lists',
      '{ "users": { "ann": {} }, "leaderboards": { "monthly": { "2004-11-01": 1 } } }',
    ],
    ['a user given twice', '{ "users": { "ann": {}, "ann": {} }, "leaderboards": {} }'],
    ['something behind the state', `${STATE} {}`],
    ['no users', '{ "users": {}, "leaderboards": {} }'],
  ])('refuses %s, which would compare nothing', (_, content) => {
    expect(compare(save('expected.json', content), save('actual.json', content)).status).toBe(2);
  });

  it('refuses a missing file and a wrong number of files', () => {
    expect(compare(save('expected.json', STATE), join(folder, 'nowhere.json')).status).toBe(2);
    expect(compare(save('expected.json', STATE)).status).toBe(2);
    expect(compare().status).toBe(2);
  });
});
