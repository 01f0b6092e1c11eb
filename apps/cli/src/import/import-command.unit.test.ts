import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const BATCH = 'POST /admin/v1/metrics/events';
const FINISH = 'POST /admin/v1/imports/finish';
const KEY = 'key-of-twenty-four-characters';
const LINES = '{"metric":"a","value":0.10}\n{"metric":"a","value":1e0}\n';

describe('laurel import', () => {
  let folder: string;
  let file: string;
  const services: FakeService[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-import-'));
    file = join(folder, 'history.ndjson');
    await writeFile(file, LINES);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    await rm(folder, { recursive: true });
  });
  const serve = async (answers: FakeAnswers) => {
    const service = await fakeService({ [FINISH]: ok({ closed: true }), ...answers });
    services.push(service);
    return service;
  };
  const answer = (...results: object[]) => ok(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
  const results = (...statuses: number[]) => answer(...statuses.map((status, index) => ({ index, status })));

  it('sends the lines unchanged over the socket, ends the import and prints the counts', async () => {
    const service = await serve({ [BATCH]: results(201, 202) });
    const { exitCode, stdout } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([0, '1 recorded, 1 already known, 0 refused\n']);
    expect(service.requests.map(({ route, body, key }) => [route, body, key])).toEqual([
      [BATCH, LINES, null],
      [FINISH, '', null],
    ]);
  });

  it('waits until reads show the imported events', async () => {
    const pending = ok({ closed: true, pending: ['points', 'leaderboards'] });
    const service = await serve({ [BATCH]: results(201, 201), [FINISH]: [pending, pending, ok({ closed: false })] });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([0, '2 recorded, 0 already known, 0 refused\n']);
    expect(service.requests.filter(({ route }) => route === FINISH)).toHaveLength(3);
    expect(stderr).not.toContain('do not show all of it');
  });

  it('names the areas that do not show the events after the longest wait', async () => {
    const pending = ok({ closed: true, pending: ['points', 'leaderboards'] });
    const shown = ok({ closed: false });
    const service = await serve({
      [BATCH]: results(201, 201),
      [FINISH]: [...Array.from({ length: 60 }, () => pending), shown],
    });
    const { exitCode, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/recorded, but points, leaderboards do not show all of it yet: `laurel status` tells/);
  });

  it('never sends the key of the environment to a port: without --url it uses the socket or fails', async () => {
    const listener = await serve({ [BATCH]: results(201, 201) });
    const variables = { LAUREL_DATA_DIR: folder, LAUREL_PORT: new URL(listener.url).port, LAUREL_API_KEY: KEY };
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables });
    expect(listener.requests).toEqual([]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe((await runCommand(['status'], { variables })).stderr);
    expect(stderr).toMatch(/no running service was found; tried/);
  });

  it('sends the key of the environment to the given address', async () => {
    const service = await serve({ [BATCH]: results(201, 201) });
    const { exitCode } = await runCommand(['import', file, '--url', service.url], {
      variables: { LAUREL_API_KEY: KEY },
    });
    expect([exitCode, service.requests[0]?.key]).toEqual([0, KEY]);
  });

  it.each([
    ['--unbounded-awards', 'unboundedAwards'],
    ['--outgoing', 'outgoing'],
  ])('opens the import first for %s', async (flag, option) => {
    const open = 'POST /admin/v1/imports';
    const service = await serve({ [BATCH]: results(201, 201), [open]: ok({ opened: true, [option]: true }) });
    const { exitCode } = await runCommand(['import', file, flag], { variables: service.variables });
    expect(exitCode).toBe(0);
    expect(service.requests.map(({ route }) => route)).toEqual([open, BATCH, FINISH]);
    expect(service.requests[0]?.body).toBe(`{"${option}":true}`);
  });

  it('sends the reason when it opens and ends the import', async () => {
    const open = 'POST /admin/v1/imports';
    const service = await serve({ [BATCH]: results(201, 201), [open]: ok({ opened: true, unboundedAwards: false }) });
    await runCommand(['import', file, '--reason', 'old data'], { variables: service.variables });
    const sent = service.requests.map(({ route, body }) => [route, body]);
    expect([sent[0], sent.at(-1)]).toEqual([
      [open, '{"reason":"old data"}'],
      [FINISH, '{"reason":"old data"}'],
    ]);
  });

  it('counts late lines and says why it matters', async () => {
    const late = [
      { index: 0, status: 201, eventId: '01a1fd77-d074-753a-836c-87e905fbb1f9' },
      { index: 1, status: 201, eventId: '01a1fd77-d074-753a-836c-87e905fbb1f9', late: true },
    ];
    const service = await serve({ [BATCH]: answer(...late) });
    const { exitCode, stdout } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        '1 was late: before the latest event that their user already had, so they extend and revive no streak. In a file, put the events of each user oldest first.',
        '2 recorded, 0 already known, 0 refused',
      ],
    ]);
  });

  it('reports a bad line with its number, imports the rest and exits with 1', async () => {
    await writeFile(file, `{"metric":"a"}\nno JSON\n${LINES}`);
    const service = await serve({
      [BATCH]: answer(
        { index: 0, status: 422, error: 'value is required.' },
        { index: 1, status: 400, error: 'The line is not JSON.' },
        { index: 2, status: 201 },
        { index: 3, status: 201 },
      ),
    });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([1, '2 recorded, 0 already known, 2 refused\n']);
    expect(stderr).toMatch(/^line 1: value is required\.$/m);
    expect(stderr).toMatch(/^line 2: The line is not JSON\.$/m);
  });

  it('skips the lines of a user with a damaged state, names the repair last and exits with 1', async () => {
    const error = 'The stored points state of user "ada" of account default is damaged; run: laurel rebuild points';
    const given = { status: 503, code: 'state_damaged', error };
    await writeFile(file, '{"metric":"a","user":{"id":"ada"}}\n'.repeat(2));
    const service = await serve({
      [BATCH]: answer({ index: 0, ...given }, { index: 1, ...given }),
    });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([1, '0 recorded, 0 already known, 2 refused\n']);
    expect(service.requests.map(({ route }) => route)).toEqual([BATCH, FINISH]);
    expect(stderr).toBe(
      [
        `line 1: ${error}`,
        `line 2: ${error}`,
        `2 lines were given up because a stored state is damaged. ${error}`,
        'Then run the same import again: lines with an idempotencyKey are never counted twice.',
        '',
      ].join('\n'),
    );
  });

  it('prints the first twenty bad lines and counts the rest', async () => {
    await writeFile(file, '[]\n'.repeat(25));
    const service = await serve({ [BATCH]: results(...Array.from({ length: 25 }, () => 422)) });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([1, '0 recorded, 0 already known, 25 refused\n']);
    expect(stderr.match(/^line /gm)).toHaveLength(20);
    expect(stderr).toContain('more lines were refused; they are counted below');
  });

  it('stops at a file that is not NDJSON and names the line', async () => {
    await writeFile(file, `${LINES}${'\n<b>x</b>\n'.repeat(30)}${LINES}`);
    const bad = Array.from({ length: 20 }, (_, index) => ({ index: index + 2, status: 400, error: 'no' }));
    const service = await serve({
      [BATCH]: answer({ index: 0, status: 201 }, { index: 1, status: 201 }, ...bad, {
        status: 400,
        code: 'malformed_body',
        error: 'Not NDJSON.',
      }),
    });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      'laurel: the last 20 lines, up to line 42, are not JSON: the file must hold one JSON object a line (NDJSON), gzipped if its name ends in .gz\n22 lines had been sent.',
    );
    expect(service.requests.map(({ route }) => route)).toEqual([BATCH, 'GET /admin/v1/status']);
  });

  it('says that a service without the streaming import is older', async () => {
    const service = await serve({ [BATCH]: refused('unsupported_media_type', 'JSON only.') });
    const { exitCode, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /does not know this request \(415\): the service is older than this command line; update it/,
    );
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in refusals: %s', async (_, text) => {
    await writeFile(file, '{"metric":"a"}\n');
    const service = await serve({ [BATCH]: answer({ index: 0, status: 422, error: text }) });
    const { stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(stderr).toMatch(/^line 1: [^\n]*\n$/);
    expect(stderr).toMatch(HARMLESS);
  });

  it('waits much longer for a busy service than other commands', async () => {
    const busy = Array.from({ length: 30 }, () => refused('overloaded', 'Busy.', { 'retry-after': '2' }));
    const service = await serve({ [BATCH]: [...busy, results(201, 201)] });
    const { exitCode, waitedMs } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, waitedMs]).toEqual([0, Array.from({ length: 30 }, () => 2_000)]);
  });

  it('continues at the first line without an answer when the connection breaks', async () => {
    await writeFile(file, '{"n":1,"idempotencyKey":"1"}\n{"n":2,"idempotencyKey":"2"}\n{"n":3}\n');
    const service = await serve({ [BATCH]: [results(201), 'drop', results(202)] });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(service.requests.map(({ route, body }) => [route, body.match(/(?<="n":)\d/g)?.join('')])).toEqual([
      [BATCH, '123'],
      [BATCH, '23'],
      [BATCH, '2'],
      [FINISH, undefined],
    ]);
    expect(stderr).toMatch(/^line 3: whether it was recorded is not known/m);
    expect([exitCode, stdout]).toEqual([1, '1 recorded, 1 already known, 1 refused\n']);
  });

  it('sends no line without a key again, however the answer broke off', async () => {
    const service = await serve({
      [BATCH]: [{ garbledBehind: '{"index":0,"status":201}\n' }, results(201)],
    });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(service.requests.map(({ route }) => route)).toEqual([BATCH, FINISH]);
    expect(stderr).toMatch(/^line 2: whether it was recorded is not known/m);
    expect([exitCode, stdout]).toEqual([1, '1 recorded, 0 already known, 1 refused\n']);
  });

  it('says how far it came and that a second run is safe when it cannot continue', async () => {
    await writeFile(file, '{"metric":"a"}\n'.repeat(1_500));
    const service = await serve({
      [BATCH]: [results(...Array.from({ length: 1_000 }, () => 201)), refused('forbidden')],
    });
    const { exitCode, stdout, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /\(403\)[\s\S]*\n1000 lines had been sent\. Run the same import again: .* never counted twice\./,
    );
  });

  it.each([
    [
      'is',
      ok({ importOpen: true }),
      /\nThe import is still open\. .* POST \/admin\/v1\/imports\/finish; .* ten minutes/,
    ],
    ['may be', refused('forbidden'), /\nThe import may be still open\. .* POST \/admin\/v1\/imports\/finish/],
  ])('says that the import %s still open when it cannot continue', async (_, status, said) => {
    const service = await serve({
      [BATCH]: [results(201), refused('forbidden')],
      'GET /admin/v1/status': status,
    });
    const { exitCode, stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(said);
  });

  it('does not mention an import that is not open', async () => {
    const [end, none] = [refused('forbidden'), ok({ importOpen: false })];
    const service = await serve({ [BATCH]: [results(201), end], 'GET /admin/v1/status': none });
    const { stderr } = await runCommand(['import', file], { variables: service.variables });
    expect(stderr).toMatch(/1 lines had been sent/);
    expect(stderr).not.toContain('still open');
  });

  it('says how far it came on Ctrl-C', async () => {
    const service = await serve({ [BATCH]: 'hang' });
    const interruption = new AbortController();
    const running = runCommand(['import', file], { variables: service.variables, interrupted: interruption.signal });
    while (service.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    interruption.abort();
    const { exitCode, stderr } = await running;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/laurel: the import was stopped\n0 lines had been sent\. Run the same import again/);
    expect(stderr).toContain('The import may be still open.');
    expect(service.requests).toHaveLength(1);
  });

  it('sends no request when the file cannot be read', async () => {
    const service = await serve({});
    const { exitCode, stderr } = await runCommand(['import', join(folder, 'none')], { variables: service.variables });
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(/none cannot be read: ENOENT/);
  });
});
