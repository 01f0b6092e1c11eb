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

describe('faultsIn', () => {
  const faults = (...arrivals: Arrival[]) => faultsIn(arrivals, EXPECTED);

  it('finds nothing if each outcome arrived in order per user, however often', () => {
    expect(faults(CREATED, OTHER, LOST)).toEqual([]);
    expect(faults({ ...CREATED, answer: 'cut' }, CREATED, CREATED, LOST, OTHER, LOST)).toEqual([]);
  });

  it.each<[string, Arrival[], string]>([
    ['an outcome never arrived', [CREATED, OTHER], "of 'ada' arrived 'nothing' as outcome 2"],
    ['an outcome was never accepted', [CREATED, OTHER, { ...LOST, answer: 'hang' }], "of 'ada' was accepted 'nothing'"],
    ['an outcome arrived out of order', [LOST, CREATED, OTHER], "user.created (1) of 'ada' came behind 3"],
    [
      'an outcome arrived again after a later one',
      [CREATED, LOST, OTHER, CREATED],
      "user.created (1) of 'ada' came behind 3",
    ],
    [
      'an outcome was made again with another sequence',
      [CREATED, OTHER, LOST, arrival('a', outcome(4, 'ada', 'user.created'))],
      'a came with other bytes than before',
    ],
    [
      'an outcome was made again with another id',
      [CREATED, OTHER, LOST, arrival('d', outcome(4, 'bob', 'user.created'))],
      "of 'bob' arrived 'user.created 4' as outcome 2, expected 'nothing'",
    ],
    ['a signature is invalid', [{ ...CREATED, signed: false }, OTHER, LOST], 'without a signature that holds'],
    ['a redirect was followed', [CREATED, OTHER, LOST, { ...CREATED, path: '/moved' }], 'where nothing is expected'],
  ])('finds a fault if %s', (_, arrivals, fault) => {
    expect(faults(...arrivals)).toContainEqual(expect.stringContaining(fault));
  });

  it.each<[string, Arrival[], readonly string[]]>([
    ['nothing if outcomes are missing', [CREATED, OTHER], []],
    ['nothing if none is missing', [CREATED, OTHER, LOST], []],
    [
      'a fault if an unexpected outcome arrived',
      [CREATED, OTHER, LOST, arrival('d', outcome(4, 'ada', 'user.created'))],
      ["/all: of 'ada' arrived 'user.created 4' as outcome 3, which is not expected there"],
    ],
    [
      'a fault if outcomes arrived in another order',
      [
        OTHER,
        arrival('c', outcome(1, 'ada', 'streak.lost', { length: 3, endedAt: 'noon' })),
        arrival('a', { body: CREATED.body.replace('"sequence":1', '"sequence":3') }),
      ],
      ["/all: of 'ada' arrived 'user.created 1' as outcome 2, which is not expected there"],
    ],
  ])('finds for an erased user %s', (_, arrivals, faults) => {
    const all = EXPECTED.get('/all') as Expected;
    expect(faultsIn(arrivals, new Map([['/all', { ...all, erased: new Set(['ada']) }]]))).toEqual(faults);
  });

  it('finds a fault if a strict endpoint got outcomes of two users out of order', () => {
    const all = EXPECTED.get('/all') as Expected;
    const strict = new Map([['/all', { ...all, strict: true }]]);
    expect(faultsIn([CREATED, OTHER, LOST], strict)).toEqual([]);
    expect(faultsIn([CREATED, LOST, OTHER], strict)).toEqual(["/all: user.created (2) of '' came behind 3"]);
  });
});
