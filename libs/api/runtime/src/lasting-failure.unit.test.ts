import { lastingFailure } from './lasting-failure.ts';

const SECOND = 1_000;

function open() {
  const lines: unknown[] = [];
  const clock = { nowMs: 5_000, elapsedMs: () => clock.nowMs };
  const logger = { warn: (detail: object, message: string) => void lines.push([detail, message]) };
  return { lines, clock, report: lastingFailure(logger as never, clock, 'could not') };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });

it('the failure log writes a lasting failure once and then counts it', () => {
  const { lines, clock, report } = open();
  for (let second = 0; second < 150; second++) {
    report(refused);
    clock.nowMs += SECOND;
  }
  expect(lines).toEqual([
    [{ err: refused }, 'could not'],
    [{ failures: 61, reason: 'ECONNREFUSED' }, 'could not'],
    [{ failures: 121, reason: 'ECONNREFUSED' }, 'could not'],
  ]);
});

it('the failure log writes another reason, and a failure that returns after a recovery', () => {
  const { lines, clock, report } = open();
  const other = new Error('no space');
  for (const error of [refused, other, refused, other]) report(error);
  clock.nowMs += 121 * SECOND;
  report(refused);
  expect(lines).toEqual([refused, other, refused].map((err) => [{ err }, 'could not']));
});

it('the failure log is limited when every reason differs', () => {
  const { lines, clock, report } = open();
  for (let second = 0; second < 50; second++) {
    report(new Error(`attempt ${second}`));
    clock.nowMs += SECOND;
  }
  expect(lines).toHaveLength(10);
});
