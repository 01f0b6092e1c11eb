import type { VerificationAnswer } from '@laurel/schemas';
import { Health, createHttpApplication, createLogger, generateApiKey, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts, VerificationOptions, Verifications } from '../ports.ts';
import { VerificationRuns, type RunVerification } from './verifications.ts';

const ADMIN = generateApiKey();
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

let http: HttpApplication | null = null;
afterEach(() => http?.close());

async function ask(verifications: Verifications, method: 'GET' | 'POST', path: string, payload?: object) {
  await http?.close();
  const clock = new ManualClock();
  const ports = { verifications, clock } as unknown as AdministrationPorts;
  http = await createHttpApplication({
    modules: [AdministrationModule.register(ports)],
    keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set(['admin'] as const) }) },
    health: new Health(clock),
    logger: createLogger('silent'),
    clock,
  });
  const url = `/admin/v1/verifications${path}`;
  const response = await http.fastify.inject({
    method,
    url,
    headers: { 'x-api-key': ADMIN },
    ...(payload && { payload }),
  });
  return { status: response.statusCode, json: response.json<Record<string, unknown>>() };
}

const runs = (run: RunVerification, ended: VerificationAnswer[] = []) =>
  new VerificationRuns({ run, clock: new ManualClock(), onEnd: (verification) => ended.push(verification) });

describe('verifications', () => {
  it('are found only by their ids', async () => {
    const verifications = runs(() => Promise.resolve());
    expect(await ask(verifications, 'GET', `/${ID}`)).toMatchObject({
      status: 404,
      json: { code: 'unknown_verification' },
    });
  });

  it('run one at a time and show their findings', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const verifications = runs(async (_, onProgress) => {
      onProgress({ check: 'log', verified: 5, head: 9 });
      await held;
      onProgress({ verified: 9 });
    });
    const { status, json } = await ask(verifications, 'POST', '');
    expect([status, json['state']]).toEqual([202, 'running']);
    expect(await ask(verifications, 'POST', '')).toMatchObject({ status: 422, json: { code: 'invalid_request' } });
    const path = `/${json['id'] as string}`;
    expect((await ask(verifications, 'GET', path)).json).toMatchObject({ check: 'log', verified: 5, head: 9 });
    release();
    const done = { state: 'done', check: null, verified: 9, findings: [], more: false, error: null };
    expect((await ask(verifications, 'GET', path)).json).toMatchObject(done);
    expect((await ask(verifications, 'POST', '')).status).toBe(202);
  });

  it('are refused with a body, because their options belong to the query', async () => {
    const verifications = runs(() => Promise.resolve());
    expect(await ask(verifications, 'POST', '', { full: true })).toMatchObject({
      status: 422,
      json: { errors: [{ path: '', message: 'must be empty: full and only belong to the query' }] },
    });
    expect((await ask(verifications, 'POST', '?full=true', {})).status).toBe(202);
  });

  it.each([
    ['', { full: false, onlyLog: false }],
    ['?full=false', { full: false, onlyLog: false }],
    ['?full=true', { full: true, onlyLog: false }],
    ['?only=log', { full: false, onlyLog: true }],
    ['?full=1', { full: true, onlyLog: false }],
    ['?full=yes', 'full'],
    ['?full=true&full=true', 'full'],
    ['?only=users', 'only'],
    ['?only=log&full=true', 'only'],
  ])('fold every user or check only the log when the query asks for it: %s', async (query, expected) => {
    const asked: VerificationOptions[] = [];
    const answer = await ask(
      runs((one) => Promise.resolve(void asked.push(one))),
      'POST',
      query,
    );
    const isRefused = typeof expected === 'string';
    expect([answer.status, asked]).toEqual(isRefused ? [422, []] : [202, [expected]]);
    expect(answer.json).toMatchObject(isRefused ? { errors: [{ path: expected }] } : { full: expected.full });
  });

  it('report why they failed', async () => {
    const ended: VerificationAnswer[] = [];
    const { id } = runs(() => Promise.reject(new Error('no database')), ended).start({ full: false, onlyLog: false });
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toMatchObject([{ id, state: 'failed', error: 'no database' }]);
  });
});
