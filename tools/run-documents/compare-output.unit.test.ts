// The tools have no types: what they take and give is in their comments.
const { compareOutput } = await import(new URL('./compare-output.mjs', import.meta.url).href);

const ID = '01a1fd77-ca34-75e3-86b3-b3e170a5cb98';
const OTHER_ID = '01b2fd77-ca34-75e3-86b3-b3e170a5cb98';
const CLOCK = '2026-11-21T09:30:00Z';

interface Setting {
  clock?: string | null;
  known?: Map<string, string>;
}
const compare = (
  language: string,
  expected: string,
  printed: string,
  { clock = CLOCK, known = new Map() }: Setting = {},
) => compareOutput({ language, text: expected }, printed, { clock, known });
const differences = (...given: Parameters<typeof compare>): string[] => compare(...given).differences;

describe('printed JSON', () => {
  it('matches the shown JSON, whatever the order of its members', () => {
    expect(differences('json', '{"a":1,"b":[true,null]}', '{ "b": [true, null], "a": 1 }\n')).toEqual([]);
    expect(differences('json', '{"a":1}', '{"a":2}')).toEqual(['$.a: expected 1, found 2']);
    expect(differences('json', '{"a":{}}', '{"a":[]}')).toEqual(['$.a: expected an object, found []']);
    expect(differences('json', '{"a":"x"}', '{"a":"xy"}')).toEqual(['$.a: expected "x", found "xy"']);
  });

  it('has every shown member, and no other unless … permits more', () => {
    expect(differences('json', '{"a":1,"b":2}', '{"a":1}')).toEqual(['$.b: is not there']);
    expect(differences('json', '{"a":1}', '{"a":1,"b":2}')).toEqual(['$.b: is not in the document']);
    expect(differences('jsonc', '{ "a": 1, … }', '{"a":1,"b":2}')).toEqual([]);
    expect(differences('jsonc', '{ …, "a": { "x": … } } // shortened', '{"a":{"x":[]},"b":2}')).toEqual([]);
  });

  it('has lists of the shown length, or of any length with …', () => {
    expect(differences('json', '[1,2]', '[1,2,3]')).toEqual(['$: expected 2 elements, found 3']);
    expect(differences('jsonc', '[1, …, 9]', '[1,2,3,9]')).toEqual([]);
    expect(differences('jsonc', '[1, …, 9]', '[1,2,3,8]')).toEqual(['$[3]: expected 9, found 8']);
    expect(differences('jsonc', '[1, …, 9]', '[1]')).toEqual(['$: expected 2 elements, found 1']);
    expect(differences('jsonc', '[…]', '[]')).toEqual([]);
  });

  it('includes members such as __proto__', () => {
    expect(differences('json', '{"__proto__":1}', '{}')).toEqual(['$.__proto__: is not there']);
    expect(differences('json', '{}', '{"__proto__":1}')).toEqual(['$.__proto__: is not in the document']);
  });

  it('is recognized in a text block, too, and required in a json block', () => {
    expect(differences('text', '{"a":1,"b":2}', '{"b":2,"a":1}')).toEqual([]);
    expect(() => compare('json', '{}', 'not found')).toThrow('not found');
  });
});

describe('printed text', () => {
  it('matches the shown text except for spaces at line ends and the lines of npm', () => {
    const printed = '\n> laurel@0.1.0 laurel\n> node apps/cli/dist/main.js\n\n3 recorded, 0 refused  \n';
    expect(differences('text', '3 recorded, 0 refused\n', printed)).toEqual([]);
    expect(differences('text', '3 recorded\n', printed)).toEqual(['- 3 recorded', '+ 3 recorded, 0 refused']);
  });

  it('is shown as a diff when it differs', () => {
    expect(differences('text', 'one\ntwo\nthree\n', 'one\n2\nthree\nfour\n')).toEqual([
      '  one',
      '- two',
      '+ 2',
      '  three',
      '+ four',
    ]);
  });

  it('may be abbreviated with … within a line and by whole lines', () => {
    expect(differences('text', 'version … of …\n', 'version 1 of 2\n')).toEqual([]);
    expect(differences('text', 'first\n…\nlast\n', 'first\na\nb\nlast\n')).toEqual([]);
    expect(differences('text', 'first\n…\nlast\n', 'first\nlast\n')).toEqual([]);
    expect(differences('text', 'first\n…\n', 'first\na\n')).toEqual([]);
    expect(differences('text', 'first\n…\nlast\n', 'first\na\n')).not.toEqual([]);
  });
});

describe('a value that differs each time', () => {
  it('matches any value of its kind: ids, durations, sizes, digests', () => {
    const digest = 'a'.repeat(64);
    expect(
      differences(
        'text',
        `${ID} in 12 ms, 3.5 MB at 5,000/s ${digest}`,
        `${OTHER_ID} in 1.3 s, 40 kB at 7/s ${digest}`,
      ),
    ).toEqual([]);
    expect(differences('text', `event ${ID}`, 'event none')).not.toEqual([]);
    expect(differences('text', 'in 12 steps', 'in 13 steps')).not.toEqual([]);
  });

  it('matches a close instant when the document has a clock, and else any instant', () => {
    const instants = [
      '{"at":"2026-11-21T09:37:28.628Z"}',
      '{"at":"2026-11-21T09:31:00Z"}',
      '{"at":"2026-11-20T09:31:00Z"}',
    ];
    expect(differences('json', instants[0] ?? '', instants[1] ?? '')).toEqual([]);
    expect(differences('json', instants[0] ?? '', instants[2] ?? '')).toHaveLength(1);
    expect(differences('json', instants[0] ?? '', instants[2] ?? '', { clock: null })).toEqual([]);
  });

  it('matches only the same date when the document has a clock', () => {
    expect(differences('text', 'since 2026-11-21', 'since 2026-11-22')).not.toEqual([]);
    expect(differences('text', 'since 2026-11-21', 'since 2027-01-02', { clock: null })).toEqual([]);
  });

  it('is remembered under the value in the document', () => {
    const { learned } = compare('jsonc', `{"id":"${ID}","key":"lrl_…"}`, `{"id":"${OTHER_ID}","key":"lrl_abc"}`);
    expect([...learned]).toEqual([
      [ID, OTHER_ID],
      ['lrl_…', 'lrl_abc'],
    ]);
  });

  it('must be the same again when the document repeats it', () => {
    const known = new Map([[ID, OTHER_ID]]);
    expect(differences('text', ID, OTHER_ID, { known })).toEqual([]);
    expect(differences('text', ID, ID, { known })).not.toEqual([]);
  });
});
