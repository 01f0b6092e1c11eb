// The tools have no types: what they take and give is in their comments.
const { decisionProblems } = await import(new URL('./check-decisions.mjs', import.meta.url).href);

const record = (title: string, status: string, more = '') =>
  `# ${title}\n\nStatus: ${status}.\n${more}\n## Context\n\nNone.\n`;

const INDEX = [
  '| [0001](0001-lanes.md) | Lanes | accepted; amended by 0002 | One lane. |',
  '| [0002](0002-two-lanes.md) | Two lanes | superseded by 0003 | Two lanes. |',
  '| [0003](0003-no-lanes.md) | No lanes | accepted | No lane. |',
  '',
  '| 0004 | Pins | [toolchain](../architecture/toolchain.md) |',
].join('\n');

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['docs/adr/README.md', INDEX],
  ['docs/adr/0001-lanes.md', record('0001 Lanes', 'accepted; amended by [0002](0002-two-lanes.md)')],
  [
    'docs/adr/0002-two-lanes.md',
    record('0002 Two lanes', 'superseded by [0003](0003-no-lanes.md)', '\nAmends [0001](0001-lanes.md).\n'),
  ],
  ['docs/adr/0003-no-lanes.md', record('0003 No lanes', 'accepted')],
]);

const problemsWith = (path: string, text: string) =>
  decisionProblems(new Map([...DOCUMENTS, [`docs/adr/${path}`, text]]));

describe('the index of the decision records', () => {
  it('contains a row for each record with its title and status', () => {
    expect(decisionProblems(DOCUMENTS)).toEqual([]);
  });

  it('is reported when it misses a record', () => {
    expect(problemsWith('0005-five-lanes.md', record('0005 Five lanes', 'accepted'))).toEqual([
      'docs/adr/README.md: docs/adr/0005-five-lanes.md has 0 rows, expected 1',
    ]);
  });

  it('is reported when it names a missing record', () => {
    expect(problemsWith('README.md', `${INDEX}\n| [0006](0006-x.md) | X | accepted | X. |`)).toEqual([
      'docs/adr/README.md: 0006 is no record',
    ]);
  });

  it('is reported when its status or title differs from the record', () => {
    expect(problemsWith('0003-no-lanes.md', record('0003 Zero lanes', 'superseded by [0001](0001-lanes.md)'))).toEqual([
      'docs/adr/README.md: 0003 has the title "No lanes", its record "Zero lanes"',
      'docs/adr/README.md: 0003 has the status "accepted", its record "superseded by 0001"',
    ]);
  });

  it('is reported when a record has no sentence', () => {
    expect(problemsWith('README.md', INDEX.replace('| No lane. |', '| |'))).toEqual([
      'docs/adr/README.md: 0003 has no sentence',
    ]);
  });
});

describe('the status of a decision record', () => {
  it('must follow its title', () => {
    expect(problemsWith('0003-no-lanes.md', '# 0003 No lanes\n\n## Context\n\nNone.\n')).toContain(
      'docs/adr/0003-no-lanes.md: below the title stands "Status: accepted." or "Status: superseded by [0000](…).", found ""',
    );
  });

  it('must name an existing later record', () => {
    expect(problemsWith('0003-no-lanes.md', record('0003 No lanes', 'superseded by [0009](0009-x.md)'))).toContain(
      'docs/adr/0003-no-lanes.md: there is no record 0009',
    );
  });

  it('must agree with the status of amended records', () => {
    const amending = record(
      '0003 No lanes',
      'accepted',
      '\nAmends [0002](0002-two-lanes.md) and [0001](0001-lanes.md).\n',
    );
    expect(problemsWith('0003-no-lanes.md', amending)).toEqual([
      'docs/adr/0001-lanes.md: its status does not say "amended by 0003"',
      'docs/adr/0002-two-lanes.md: its status does not say "amended by 0003"',
    ]);
    const silent = record('0002 Two lanes', 'superseded by [0003](0003-no-lanes.md)');
    expect(problemsWith('0002-two-lanes.md', silent)).toEqual([
      'docs/adr/0002-two-lanes.md: it does not say "Amends [0001](…)", but 0001 says so',
    ]);
  });
});

describe('the number of a decision record', () => {
  it('is never used twice, even if its text has moved', () => {
    expect(problemsWith('0004-pins.md', record('0004 Pins', 'accepted'))).toContain(
      'docs/adr/0004-pins.md: the number 0004 is taken; take the next free one',
    );
    expect(problemsWith('0003-other.md', record('0003 Other', 'accepted'))).toContain(
      'docs/adr/0003-other.md: the number 0003 is taken; take the next free one',
    );
  });
});
