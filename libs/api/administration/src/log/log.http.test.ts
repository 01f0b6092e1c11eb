import type { InclusionProof } from '@laurel/event-store';
import { Health, createHttpApplication, createLogger, generateApiKey, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts } from '../ports.ts';

const KEY = generateApiKey();
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const HASH = Buffer.alloc(32, 7);

const proofOf = (position: number): InclusionProof => ({
  ...{ position, index: position - 1, text: `[${position}]`, path: [HASH] },
  head: { position: 9, frontier: { size: 9, peaks: [HASH] } },
});

let http: HttpApplication | null = null;
afterEach(() => http?.close());

/** As the account, of a log in which the other account "ours" has the event at position 5. */
async function proof(account: string) {
  const clock = new ManualClock();
  const logHash = {
    proofs: { inclusion: (position: number) => Promise.resolve(proofOf(position)) },
    findPosition: (asked: string, id: string) => Promise.resolve(asked === 'ours' && id === ID ? 5 : null),
  };
  http = await createHttpApplication({
    modules: [AdministrationModule.register({ logHash, clock } as unknown as AdministrationPorts)],
    keys: { find: () => ({ account, by: 'the-key', scopes: new Set(['admin'] as const) }) },
    health: new Health(clock),
    logger: createLogger('silent'),
    clock,
  });
  const url = `/admin/v1/log/proofs/${ID}`;
  const response = await http.fastify.inject({ method: 'GET', url, headers: { 'x-api-key': KEY } });
  return { status: response.statusCode, json: response.json<Record<string, unknown>>() };
}

describe('the proof that an event is in the log', () => {
  it('is given to the account of the event', async () => {
    expect(await proof('ours')).toMatchObject({
      status: 200,
      json: { eventId: ID, position: 5, index: 4, record: '[5]', path: [HASH.toString('hex')] },
    });
  });

  it('is refused to other accounts as if the event did not exist', async () => {
    expect(await proof('theirs')).toMatchObject({ status: 404, json: { code: 'unknown_event' } });
  });
});
