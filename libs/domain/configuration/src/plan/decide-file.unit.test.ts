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

describe('the file of LAUREL_CONFIG at a start', () => {
  it('is published if nothing is', () => {
    expect(decided({ inForce: null, last: null, file: {} })).toBe('publish');
  });

  it('is kept if it is in force, wherever that came from, and however it is written', () => {
    for (const last of [null, {}, LIVE]) expect(decided({ inForce: LIVE, last, file: LIVE })).toBe('keep');
    const spelledOut = { streak: { ...STREAK, weekStart: 'monday', mode: 'all' } };
    expect(decided({ inForce: {}, last: null, file: spelledOut })).toBe('keep');
  });

  it('changes nothing if it is unchanged, even after live publications', () => {
    for (const live of [LIVE, { streak: undefined }, { metrics: METRICS.slice(0, 1) }])
      expect(decided({ inForce: live, last: {}, file: {} })).toBe('keep');
  });

  it('is published if it was changed', () => {
    expect(decided({ inForce: {}, last: {}, file: LIVE })).toBe('publish');
    expect(decided({ inForce: LIVE, last: LIVE, file: {} })).toBe('publish');
  });

  it('is published with its own change and the changes that were published live', () => {
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
    ['a change of what it removes', { leaderboards: [{ ...BOARD, name: 'Best' }] }, LIVE, {}],
    ['a removal', {}, LIVE, { leaderboards: [{ ...BOARD, name: 'Again' }] }],
  ])('is held back if it drops %s that was published live', (_, inForce, last, file) => {
    expect(decided({ inForce, last, file })).toEqual(['drops what was published live']);
    expect(decided({ inForce, last, file, holdsEvents: false })).toEqual(['drops what was published live']);
  });

  it.each<[string, Sources]>([
    ['frequency', { streak: { ...STREAK, frequency: 'weekly' } }],
    ['week start', { streak: { ...STREAK, weekStart: 'sunday' } }],
    ['absence', { streak: undefined }],
  ])('is held back if it ends streaks by another %s', (_, file) => {
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

  it('is held back for every reason at once, with its plan', () => {
    const file = documentOf({ metrics: METRICS.slice(0, 1), streak: undefined });
    const publications = [{ version: 4, document: documentOf(LIVE), publishedAt: 0 }];
    const decision = decideFile({ publications, holdsEvents: true }, documentOf(), file);
    expect(decision).toMatchObject({
      reasons: ['ends streaks', 'removes metrics', 'drops what was published live'],
      plan: { current: 4, next: 5 },
    });
  });

  it('is held back with any change if a release that recorded no file published the version in force', () => {
    expect(decided({ inForce: {}, last: null, file: LIVE })).toEqual(['drops what was published live']);
  });

  it.each([
    ['of another release', { version: 99, metrics: [] }],
    ['no document', 'metrics: []'],
    ['one with a field of the wrong type', documentOf({ metrics: 'runs' })],
  ])('is held back with any change, and only then, if the recorded file is %s', (_, last) => {
    const publications = [{ version: 4, document: documentOf(), publishedAt: 0 }];
    const decide = (file: unknown) => decideFile({ publications, holdsEvents: true }, last, file);
    expect(decide(documentOf(LIVE))).toMatchObject({ type: 'hold', reasons: ['drops what was published live'] });
    expect(decide(documentOf())).toEqual({ type: 'keep' });
  });
});
