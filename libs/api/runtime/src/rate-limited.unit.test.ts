import { rateLimited } from './rate-limited.ts';

it('rateLimited passes on the first value, then one per interval with the number of omitted ones', () => {
  let nowMs = 5_000;
  const passed: unknown[] = [];
  const report = rateLimited<string>({ elapsedMs: () => nowMs }, 10_000, (...one) => passed.push(one));
  report('a');
  report('b');
  nowMs += 9_999;
  report('c');
  expect(passed).toEqual([['a', 0]]);
  nowMs += 1;
  report('d');
  report('e');
  nowMs += 60_000;
  report('f');
  expect(passed).toEqual([
    ['a', 0],
    ['d', 2],
    ['f', 1],
  ]);
});
