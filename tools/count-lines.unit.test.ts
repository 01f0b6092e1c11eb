// The tools have no types: what they take and give is in their comments.
const { groupOf, linesOf } = await import(new URL('./count-lines.mjs', import.meta.url).href);

describe('the lines of a source', () => {
  it('are code, comments and nothing', () => {
    const source = [
      '/**',
      ' * What it is.',
      ' */',
      'const a = 1; // one',
      '',
      '// b',
      '/** c */',
      'const d = `',
      '`;',
      '',
    ];
    expect(linesOf(source.join('\n'))).toEqual({ code: 3, comment: 5, blank: 1 });
    expect(linesOf('const a = 1;')).toEqual({ code: 1, comment: 0, blank: 0 });
  });
});

describe('the group of a file', () => {
  it.each([
    ['libs/domain/points/src/rules/due/room.ts', 'rules of the areas'],
    ['libs/domain/points/src/points-area.ts', 'rules of the areas'],
    ['libs/domain/points/src/tables.ts', 'tables and queries of the areas'],
    ['libs/kernel/src/effects.ts', 'effects, occasions, plans'],
    ['libs/engine/src/single-writer/single-writer-queue.ts', 'projection engine'],
    ['libs/engine/src/rebuild/rebuild.ts', 'rebuild and digest'],
    ['libs/engine/src/partitioned/relay/relay.ts', 'partitioned engine'],
    ['libs/projections/src/single-writer-queue.ts', 'projection engine'],
    ['libs/projections/src/rebuild/rebuild.ts', 'rebuild and digest'],
    ['libs/chain-service/src/chain-service.ts', 'partitioned engine'],
    ['libs/values/calendar/src/days.ts', null],
    ['libs/domain/points/src/points-area.unit.test.ts', null],
    ['libs/domain/points/src/points.fixture.ts', null],
    ['libs/domain/streaks/src/testing/streak-story.ts', null],
    ['libs/domain/points/package.json', null],
  ])('%s', (path, group) => {
    expect(groupOf(path)).toBe(group);
  });
});
