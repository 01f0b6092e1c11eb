import { StoreUnavailableError } from '@laurel/kernel';
import type { WebhookEndpointEntity } from '@laurel/database';
import { ManualClock } from '@laurel/testing/clock';
import type { DataSource, FindOperator } from 'typeorm';
import { Destinations } from '../destinations/destinations.ts';
import { SecretBox } from '../secrets/secret-box.ts';
import { Endpoints } from './endpoints.ts';

/** The table; the next statement may be lost on its way there, or its answer on the way back. */
class Table {
  readonly rows = new Map<string, WebhookEndpointEntity>();
  lost: 'statement' | 'answer' | null = null;

  readonly find = () => Promise.resolve([...this.rows.values()]);
  readonly findBy = ({ id }: { readonly id: FindOperator<string> }) =>
    Promise.resolve([...this.rows.values()].filter((row) => (id.value as unknown as string[]).includes(row.id)));
  readonly insert = (row: WebhookEndpointEntity) => this.#change(() => this.rows.set(row.id, row));
  readonly delete = ({ id }: { readonly id: string }) => this.#change(() => this.rows.delete(id));

  async #change(work: () => unknown): Promise<void> {
    const { lost } = this;
    this.lost = null;
    if (lost !== 'statement') work();
    if (lost !== null) throw new Error('Connection terminated unexpectedly');
  }
}

describe('webhook endpoints while the database does not answer', () => {
  let table: Table;
  const open = () =>
    Endpoints.open({
      dataSource: { getRepository: () => table } as unknown as DataSource,
      clock: new ManualClock(),
      box: new SecretBox(() => 'a key for tests, 24+ characters'),
      destinations: new Destinations([]),
    });
  const make = (endpoints: Endpoints) => endpoints.create('acme', { url: 'https://a.test/' }, 'ada', 0);
  beforeEach(() => (table = new Table()));

  it.each(['statement', 'answer'] as const)('stay and can be deleted again (lost: the %s)', async (lost) => {
    const endpoints = await open();
    const endpoint = await make(endpoints);
    table.lost = lost;
    await expect(endpoints.delete(endpoint, 'ada')).rejects.toThrow(StoreUnavailableError);
    const found = endpoints.find('acme', endpoint.id);
    expect(found).toEqual(endpoint);
    await endpoints.delete(endpoint, 'ada');
    expect([endpoints.find('acme', endpoint.id), table.rows.size]).toEqual([null, 0]);
  });

  it('are listed when they were created without an answer, and can be deleted once', async () => {
    const endpoints = await open();
    for (const lost of ['answer', 'statement'] as const) {
      table.lost = lost;
      await expect(make(endpoints)).rejects.toThrow(StoreUnavailableError);
    }
    const [made, ...others] = await endpoints.all('acme');
    expect([made?.id, others]).toEqual([...table.rows.keys(), []]);
    if (made !== undefined) await endpoints.delete(made, 'ada');
    expect(await endpoints.all('acme')).toEqual([]);
  });
});

describe('webhook endpoints encrypted with an existing key that is not used', () => {
  const ofFile = new SecretBox(() => 'the key in the data folder');
  const given = new SecretBox(() => 'the key of the variable', { file: '/data/secrets.key', box: ofFile });
  const table = new Table();
  const open = (box: SecretBox) =>
    Endpoints.open({
      dataSource: { getRepository: () => table } as unknown as DataSource,
      clock: new ManualClock(),
      box,
      destinations: new Destinations([]),
    });
  const make = (endpoints: Endpoints) => endpoints.create('acme', { url: 'https://a.test/' }, 'ada', 0);

  it('are refused with the name of the key to use', async () => {
    await open(given);
    await make(await open(ofFile));
    await expect(open(given)).rejects.toThrow(
      'the secrets of 1 of 1 webhooks are encrypted with the key in /data/secrets.key, not with LAUREL_SECRETS_KEY: ' +
        'remove LAUREL_SECRETS_KEY to use that file, or set it to the text of the file',
    );
  });

  it('are refused with a remedy when others need the key in use', async () => {
    await make(await open(new SecretBox(() => 'the key of the variable')));
    await expect(open(given)).rejects.toThrow(
      'the secrets of 1 of 2 webhooks are encrypted with the key in /data/secrets.key, not with LAUREL_SECRETS_KEY: ' +
        'some need either key: move that file away to use LAUREL_SECRETS_KEY, and then give these webhooks new secrets',
    );
    await open(new SecretBox(() => 'the key of the variable'));
  });
});
