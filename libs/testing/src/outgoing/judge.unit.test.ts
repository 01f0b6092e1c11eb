import { faultsIn, type Arrival, type Expected } from './judge.ts';

const EXPECTED: ReadonlyMap<string, Expected> = new Map([
  [
    '/all',
    {
      strict: false,
      outcomes: new Map([
        ['ada', ['user.created 1', 'streak.lost 3 noon']],
        ['bob', ['user.created 2']],
      ]),
    },
  ],
]);

const outcome = (sequence: number, id: string, type: string, rest: object = {}) => ({
  body: JSON.stringify({ type, sequence, timestamp: String(sequence), user: { id }, ...rest }),
});
const arrival = (id: string, { body }: { body: string }, changes: Partial<Arrival> = {}): Arrival => ({
  ...{ path: '/all', id, signed: true, answer: 'ok', body },
  ...changes,
});

const CREATED = arrival('a', outcome(1, 'ada', 'user.created'));
const OTHER = arrival('b', outcome(2, 'bob', 'user.created'));
const LOST = arrival('c', outcome(3, 'ada', 'streak.lost', { length: 3, endedAt: 'noon' }));

describe('received deliveries are judged', () => {
  const faults = (...arrivals: Arrival[]) => faultsIn(arrivals, EXPECTED);

  it('right if each outcome came, in the order of its user, however often', () => {
    expect(faults(CREATED, OTHER, LOST)).toEqual([]);
    expect(faults({ ...CREATED, answer: 'cut' }, CREATED, CREATED, LOST, OTHER, LOST)).toEqual([]);
  });

  it.each<[string, Arrival[], string]>([
    ['one never came', [CREATED, OTHER], "of 'ada' arrived 'nothing' as outcome 2"],
    ['one was never accepted', [CREATED, OTHER, { ...LOST, answer: 'hang' }], "of 'ada' was accepted 'nothing'"],
    ['one came out of order', [LOST, CREATED, OTHER], "user.created (1) of 'ada' came behind 3"],
    ['one came again, behind a later one', [CREATED, LOST, OTHER, CREATED], "user.created (1) of 'ada' came behind 3"],
    [
      'one was made again, under another sequence',
      [CREATED, OTHER, LOST, arrival('a', outcome(4, 'ada', 'user.created'))],
      'a came with other bytes than before',
    ],
    [
      'one was made again, under another id',
      [CREATED, OTHER, LOST, arrival('d', outcome(4, 'bob', 'user.created'))],
      "of 'bob' arrived 'user.created 4' as outcome 2, expected 'nothing'",
    ],
    ['a signature does not hold', [{ ...CREATED, signed: false }, OTHER, LOST], 'without a signature that holds'],
    ['a redirect was followed', [CREATED, OTHER, LOST, { ...CREATED, path: '/moved' }], 'where nothing is expected'],
  ])('wrong if %s', (_, arrivals, fault) => {
    expect(faults(...arrivals)).toContainEqual(expect.stringContaining(fault));
  });

  it.each<[string, Arrival[], readonly string[]]>([
    ['right if something of them is missing', [CREATED, OTHER], []],
    ['right if nothing is', [CREATED, OTHER, LOST], []],
    [
      'wrong if something came that was not expected',
      [CREATED, OTHER, LOST, arrival('d', outcome(4, 'ada', 'user.created'))],
      ["/all: of 'ada' arrived 'user.created 4' as outcome 3, which is not expected there"],
    ],
    [
      'wrong if something came in another order',
      [
        OTHER,
        arrival('c', outcome(1, 'ada', 'streak.lost', { length: 3, endedAt: 'noon' })),
        arrival('a', { body: CREATED.body.replace('"sequence":1', '"sequence":3') }),
      ],
      ["/all: of 'ada' arrived 'user.created 1' as outcome 2, which is not expected there"],
    ],
  ])('with a user who was erased: %s', (_, arrivals, faults) => {
    const all = EXPECTED.get('/all') as Expected;
    expect(faultsIn(arrivals, new Map([['/all', { ...all, erased: new Set(['ada']) }]]))).toEqual(faults);
  });

  it('wrong if a strict endpoint got outcomes of two users the wrong way round', () => {
    const all = EXPECTED.get('/all') as Expected;
    const strict = new Map([['/all', { ...all, strict: true }]]);
    expect(faultsIn([CREATED, OTHER, LOST], strict)).toEqual([]);
    expect(faultsIn([CREATED, LOST, OTHER], strict)).toEqual(["/all: user.created (2) of '' came behind 3"]);
  });
});
