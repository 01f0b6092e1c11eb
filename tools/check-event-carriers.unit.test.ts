// The tools have no types: what they take and give is in their comments.
const { carrierProblems, carrierRows, isLookedAt, MOST_CARRIERS } = await import(
  new URL('./check-event-carriers.mjs', import.meta.url).href
);

const rows = carrierRows(
  '<!-- carriers: held -->\n`Command` (`c.ts`) → `Task` of a `DomainEvent`\n(`t.ts`)\n<!-- /carriers -->',
);
const sources = new Map([
  ['c.ts', 'export interface Command { readonly type: string }'],
  ['t.ts', 'export interface Task { readonly command: Command; readonly id: string }'],
]);

describe('the types that carry an event', () => {
  it('are accepted when they are named in order with the files that declare them', () => {
    expect(rows).toEqual([
      { type: 'Command', file: 'c.ts' },
      { type: 'Task', file: 't.ts' },
    ]);
    expect(carrierProblems(rows, sources)).toEqual([]);
  });

  it.each([
    ['an interface', 'interface Passage { readonly task: Task | null }', 'Passage'],
    ['a derived type', "interface Passage extends Omit<Task, 'id'> { readonly key: string }", 'Passage'],
    ['an alias', 'type Passage = { readonly inner: { readonly task: Task } }', 'Passage'],
  ])('include %s that holds another one', (_what, declared, name) => {
    expect(carrierProblems(rows, new Map([...sources, ['p.ts', declared]]))).toEqual([
      `${name} (p.ts) holds or restates a Task, and is not named`,
    ]);
  });

  it('may be elements of lists and parameters of functions', () => {
    const batch = 'interface Batch { readonly tasks: readonly Task[]; readonly settle: (task: Task) => void }';
    expect(carrierProblems(rows, new Map([...sources, ['b.ts', batch]]))).toEqual([]);
  });

  it('are reported when a file lacks its type, when there are too many, or none', () => {
    expect(carrierProblems(rows, new Map([...sources, ['t.ts', '']]))).toEqual(['t.ts declares no Task']);
    const many = Array.from({ length: MOST_CARRIERS + 1 }, () => ({ type: 'Command', file: 'c.ts' }));
    expect(carrierProblems(many, new Map([...sources].slice(0, 1)))).toEqual([
      `${many.length} types, more than ${MOST_CARRIERS}`,
    ]);
    expect(carrierProblems([], sources)).toEqual(['none is named']);
  });

  it('are searched only in sources', () => {
    expect(isLookedAt('libs/kernel/src/fold.ts')).toBe(true);
    expect(isLookedAt('libs/kernel/src/fold.unit.test.ts')).toBe(false);
    expect(isLookedAt('libs/domain/points/src/points-area.ts')).toBe(false);
  });
});
