import { decideFile } from './decide-file.ts';

type Sources = Readonly<Record<string, unknown>>;

const METRICS = [
  { key: 'runs', name: 'Runs' },
  { key: 'laps', name: 'Laps' },
];
const STREAK = { frequency: 'daily', conditions: [{ metric: 'runs', threshold: 1 }] };
const BOARD = { key: 'top', name: 'Top', rankBy: 'metric', metric: 'runs', start: '2026-01-01' };
const LIVE = { leaderboards: [BOARD] };

const documentOf = (dependencies: Sources = {}) => ({ version: 1, metrics: METRICS, streak: STREAK, ...dependencies });

function decided({
  inForce,
  last,
  file,
  holdsEvents = true,
}: Record<'inForce' | 'last' | 'file', Sources | null> & { holdsEvents?: boolean }) {
  const publications = inForce === null ? [] : [{ version: 4, document: documentOf(inForce), publishedAt: 0 }];
  const decision = decideFile({ publications, holdsEvents }, last && documentOf(last), documentOf(file ?? {}));
  return decision.type === 'hold' ? decision.reasons : decision.type;
}

describe('the file of LAUREL_CONFIG at startup', () => {
  it('is published if nothing has been published', () => {
    expect(decided({ inForce: null, last: null, file: {} })).toBe('publish');
  });

  it('is kept if it equals the version in force, whatever its source and spelling', () => {
    for (const last of [null, {}, LIVE]) expect(decided({ inForce: LIVE, last, file: LIVE })).toBe('keep');
    const spelledOut = { streak: { ...STREAK, weekStart: 'monday', mode: 'all' } };
    expect(decided({ inForce: {}, last: null, file: spelledOut })).toBe('keep');
  });

  it('is kept if it has not changed, even after live publications', () => {
    for (const live of [LIVE, { streak: undefined }, { metrics: METRICS.slice(0, 1) }])
      expect(decided({ inForce: live, last: {}, file: {} })).toBe('keep');
  });

  it('is published if it has changed', () => {
    expect(decided({ inForce: {}, last: {}, file: LIVE })).toBe('publish');
    expect(decided({ inForce: LIVE, last: LIVE, file: {} })).toBe('publish');
  });

  it('is published if it contains the live publications besides its own change', () => {
    const own = { key: 'laps', name: 'Laps', rankBy: 'metric', metric: 'laps', start: '2026-01-01' };
    expect(decided({ inForce: LIVE, last: {}, file: { leaderboards: [BOARD, own] } })).toBe('publish');
  });

  it.each<[string, Sources, Sources, Sources]>([
    ['an addition', LIVE, {}, { metrics: [...METRICS, { key: 'new', name: 'New' }] }],
    [
      'a change',
      { leaderboards: [{ ...BOARD, name: 'Best' }] },
      LIVE,
      { leaderboards: [{ ...BOARD, maxParticipants: 5, name: 'Top' }] },
    ],
    ['a change to an entry that it removes', { leaderboards: [{ ...BOARD, name: 'Best' }] }, LIVE, {}],
    ['a removal', {}, LIVE, { leaderboards: [{ ...BOARD, name: 'Again' }] }],
  ])('is held back if it drops %s that was published live', (_, inForce, last, file) => {
    expect(decided({ inForce, last, file })).toEqual(['drops what was published live']);
    expect(decided({ inForce, last, file, holdsEvents: false })).toEqual(['drops what was published live']);
  });

  it.each<[string, Sources]>([
    ['frequency', { streak: { ...STREAK, frequency: 'weekly' } }],
    ['week start', { streak: { ...STREAK, weekStart: 'sunday' } }],
    ['presence of a streak', { streak: undefined }],
  ])('is held back if it ends streaks by a changed %s', (_, file) => {
    expect(decided({ inForce: {}, last: {}, file })).toEqual(['ends streaks']);
    expect(decided({ inForce: {}, last: {}, file, holdsEvents: false })).toBe('publish');
  });

  it('is held back if it removes a metric, but not if it renames one', () => {
    const [runs] = METRICS;
    expect(decided({ inForce: {}, last: {}, file: { metrics: [runs] } })).toEqual(['removes metrics']);
    expect(decided({ inForce: {}, last: {}, file: { metrics: [runs] }, holdsEvents: false })).toBe('publish');
    const renamed = METRICS.map((metric) => ({ ...metric, name: 'Other' }));
    expect(decided({ inForce: {}, last: {}, file: { metrics: renamed } })).toBe('publish');
  });

  it('is held back with its plan and every reason', () => {
    const file = documentOf({ metrics: METRICS.slice(0, 1), streak: undefined });
    const publications = [{ version: 4, document: documentOf(LIVE), publishedAt: 0 }];
    const decision = decideFile({ publications, holdsEvents: true }, documentOf(), file);
    expect(decision).toMatchObject({
      reasons: ['ends streaks', 'removes metrics', 'drops what was published live'],
      plan: { current: 4, next: 5 },
    });
  });

  it('is held back with any change if the version in force was published without recording a file', () => {
    expect(decided({ inForce: {}, last: null, file: LIVE })).toEqual(['drops what was published live']);
  });

  it.each([
    ['from another release', { version: 99, metrics: [] }],
    ['not a document', 'metrics: []'],
    ['a document with a field of the wrong type', documentOf({ metrics: 'runs' })],
  ])('is held back with any change if the recorded file is %s', (_, last) => {
    const publications = [{ version: 4, document: documentOf(), publishedAt: 0 }];
    const decide = (file: unknown) => decideFile({ publications, holdsEvents: true }, last, file);
    expect(decide(documentOf(LIVE))).toMatchObject({ type: 'hold', reasons: ['drops what was published live'] });
    expect(decide(documentOf())).toEqual({ type: 'keep' });
  });
});
