import { EventLoopClock } from '@laurel/testing/clock';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeEventStoreDb, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { EventStoreAccessError } from '../event-store.ts';
import { event, recordOf, summary } from '../sample-records.fixture.ts';
import { WireStores } from './wire-stores.fixture.ts';

let server: FakeEventStoreDb;
const stores = new WireStores(new EventLoopClock());
const open = (url = server.url) => stores.open(url);

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  await stores.close();
  await server.stop();
});

describe('a user of the server', () => {
  it('with all rights passes the check, which writes nothing', async () => {
    const store = open();
    const before = server.log.all.length;
    await store.checkAccess();
    expect(server.log.all).toHaveLength(before);
    expect(await store.read(0, 10)).toEqual([]);
  });

  it('that may not read $all gets nothing recorded until it may', async () => {
    server.rights.mayReadAll = false;
    const store = open();
    await expect(store.checkAccess()).rejects.toEqual(
      new EventStoreAccessError('EventStoreDB denies its user the right to read $all'),
    );
    const refused = await store.append([event('ada', 'k'), event('bob')]);
    expect(refused.map(summary)).toEqual(['failed nothing', 'failed nothing']);
    expect(server.log.readable.filter(({ stream }) => stream.startsWith('laurel-'))).toEqual([]);
    server.rights.mayReadAll = true;
    await store.checkAccess();
    expect((await store.append([event('ada', 'k')])).map(summary)).toEqual(['recorded']);
  });

  it('that loses the right to read $all gets nothing recorded once a read has failed', async () => {
    const store = open();
    expect((await store.append([event('ada')])).map(summary)).toEqual(['recorded']);
    server.rights.mayReadAll = false;
    await expect(store.read(0, 10)).rejects.toThrow(EventStoreAccessError);
    expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
  });

  it.each([
    ['may not append', { mayAppend: false }, 'EventStoreDB denies its user the right to append to streams laurel-2-*'],
    ['has another password', { password: 'wrong' }, 'EventStoreDB does not accept the user or the password'],
  ] as const)(
    'that %s learns the reason from its first append, which is not retried',
    async (_name, rights, reason) => {
      Object.assign(server.rights, rights);
      const store = open();
      const outcomes = await store.append([event('ada'), event('ada'), event('ada')]);
      expect(outcomes).toEqual(
        Array(3).fill({ kind: 'failed', recorded: 'nothing', error: new EventStoreAccessError(reason) }),
      );
      expect(server.calls.append).toBe(1);
      for (let call = 0; call < 8; call++)
        expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
      expect(server.calls.append).toBeLessThan(5);
      await expect(store.checkAccess()).rejects.toThrow(reason);
      Object.assign(server.rights, { mayAppend: true, password: 'right' });
      await store.checkAccess();
      expect((await store.append([event('ada')])).map(summary)).toEqual(['recorded']);
    },
  );

  it('that regains its right is accepted without another check', async () => {
    server.rights.mayAppend = false;
    const store = open();
    for (let call = 0; call < 3; call++)
      expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
    server.rights.mayAppend = true;
    let outcome = await store.append([event('ada')]);
    while (outcome[0]?.kind === 'failed') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      outcome = await store.append([event('ada')]);
    }
    expect(outcome.map(summary)).toEqual(['recorded']);
    expect(await store.read(0, 10)).toHaveLength(1);
  });

  it('that was denied a retry is not told that nothing was recorded', async () => {
    server.failNext('append', ['lost', 'denied']);
    const store = open();
    expect((await store.append([event('ada')])).map(summary)).toEqual(['failed unknown']);
    expect(await store.read(0, 10)).toHaveLength(1);
  });
});

describe('a server with a TLS certificate', () => {
  let folder: string;
  let tls: { readonly certificate: string; readonly key: string };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-tls-'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', [...form, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    tls = { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') };
    await server.stop();
    server = await startFakeEventStoreDb({ tls });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is used if the certificate's authority is trusted", async () => {
    const store = open(`${server.url}&tlsCAFile=${join(folder, 'certificate.pem')}`);
    await store.checkAccess();
    const [outcome] = await store.append([event('ada')]);
    expect(await store.read(0, 10)).toEqual([recordOf(outcome)]);
  });

  it.each([
    ['one address', (url: string) => url],
    ['a cluster', (url: string) => url.replace(/127\.0\.0\.1:\d+/, '$&,$&')],
  ])('is refused with the reason if the authority is not trusted, given %s', async (_name, asNamed) => {
    const store = open(asNamed(server.url));
    await expect(store.checkAccess()).rejects.toEqual(
      new EventStoreAccessError('TLS to EventStoreDB fails: self-signed certificate'),
    );
    expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
  });
});
