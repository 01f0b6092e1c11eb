import { fakeService, refused, type FakeAnswer } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const carried = async (answer: FakeAnswer, other = 'ada', ...words: readonly string[]) => {
  const service = await fakeService({ 'GET /admin/v1/users/guest-7/export': answer });
  try {
    return await runCommand(['user', 'events', 'guest-7', '--as-import', other, ...words], {
      variables: service.variables,
    });
  } finally {
    await service.close();
  }
};

const event = (id: string, day: number, type: string, details: object) => ({
  ...{ id, type, timestamp: `2026-03-0${day}T12:00:00.000Z`, recordedAt: '2026-03-09T00:00:00.000Z', details },
});
const lesson = (id: string, day: number, value: string, more: object = {}) =>
  event(id, day, 'MetricEventRecorded', { metric: 'lessons', value, ...more });
const correction = (id: string, ...corrections: readonly object[]) =>
  event(id, 9, 'CorrectionRecorded', { corrections, achievements: 'recompute', finalRuns: 'keep' });
const exported = (...events: readonly object[]) => ({ status: 200, body: JSON.stringify({ events }) });
const line = (id: string, day: number, value: string, user: object = {}) =>
  `{"metric":"lessons","value":${value},"user":${JSON.stringify({ id: 'ada', ...user })},` +
  `"timestamp":"2026-03-0${day}T12:00:00.000Z","idempotencyKey":"${id}"`;

describe('laurel user events --as-import', () => {
  it('prints each metric event for the other user in order, with value, time zone and attributes', async () => {
    const answer = exported(
      lesson('a', 1, '16777217.000001', { tz: 'Asia/Tokyo', personal: { name: 'Guest' } }),
      lesson('b', 2, '-3', { attributes: { course: 'greek' }, imported: true, keyHash: 'x' }),
      event('c', 3, 'UserIdentified', { personal: { name: 'Guest' } }),
    );
    const { exitCode, stdout, stderr } = await carried(answer);
    expect([exitCode, stdout.split('\n')]).toEqual([
      0,
      [
        `${line('a', 1, '16777217.000001', { tz: 'Asia/Tokyo' })}}`,
        `${line('b', 2, '-3')},"attributes":{"course":"greek"}}`,
        '',
      ],
    ]);
    expect(stderr).toBe(
      '2 events written. Not carried over: the profile, grants, completions by call, spends and refunds.\n',
    );
  });

  it('omits retracted events and prints amended ones with their current time and value', async () => {
    const answer = exported(
      lesson('a', 2, '1'),
      lesson('b', 3, '1'),
      lesson('c', 4, '1'),
      lesson('d', 5, '1'),
      correction('e', { eventId: 'a', retract: true }, { eventId: 'b', value: '7' }),
      correction('f', { eventId: 'd', occurredAt: '2026-03-01T12:00:00.000Z' }),
      correction('g', { eventId: 'c', retract: true }),
      correction('h', { eventId: 'g', retract: true }),
      correction('i', { eventId: 'b', value: '8' }),
    );
    const { stdout } = await carried(answer);
    expect(stdout.split('\n')).toEqual([`${line('d', 1, '1')}}`, `${line('b', 3, '8')}}`, `${line('c', 4, '1')}}`, '']);
  });

  it('lists the grants, completions and spends that still count', async () => {
    const grant = { kind: 'points', system: 'xp', amount: '50' };
    const answer = exported(
      event('a', 1, 'GrantRecorded', { grant }),
      event('b', 2, 'AchievementCompletedByCall', { achievement: 'profile' }),
      event('c', 3, 'GrantRecorded', { grant }),
      correction('d', { eventId: 'c', retract: true }),
      event('e', 5, 'SpendRequested', { system: 'xp', amount: 20 }),
    );
    const { stdout, stderr } = await carried(answer);
    expect([stdout, stderr.trimEnd().split('\n')]).toEqual([
      '',
      [
        '0 events written. Not carried over: the profile, grants, completions by call, spends and refunds.',
        'grant points xp 50 of 2026-03-01T12:00:00.000Z (event a)',
        'completion of profile of 2026-03-02T12:00:00.000Z (event b)',
        'spend of xp of 2026-03-05T12:00:00.000Z (event e)',
      ],
    ]);
  });

  it('prints nothing when the export fails or breaks off, and refuses the same user', async () => {
    const unknown = await carried(refused('unknown_user', 'There is no user with this id.'));
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    const broken = { status: 200, body: '{"events":[', headers: { 'content-length': '1000' } };
    expect(await carried(broken)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await carried(exported(), 'guest-7')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--as-import names the same user'),
    });
    for (const option of ['--json', '--limit=5']) expect((await carried(exported(), 'ada', option)).exitCode).toBe(2);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters: %s', async (_, text) => {
    const answer = exported(
      lesson('a', 1, '1', { attributes: { text } }),
      event('b', 2, 'AchievementCompletedByCall', { achievement: text }),
    );
    const { stdout, stderr } = await carried(answer);
    expect([stdout, stderr]).toEqual([expect.stringMatching(HARMLESS), expect.stringMatching(HARMLESS)]);
    expect(JSON.parse(stdout).attributes).toEqual({ text });
  });
});
