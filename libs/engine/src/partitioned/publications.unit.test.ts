import type { PublishedConfiguration, StreamedConfiguration } from '@laurel/ports';
import { Publications } from './publications.ts';

const publishedAt = (at: number, version = 1): PublishedConfiguration => ({
  account: 'a',
  version,
  document: `${version} at ${at}`,
  publishedAt: at,
});
const newsOf = ({ account, version, publishedAt: at }: PublishedConfiguration): StreamedConfiguration => ({
  kind: 'configuration',
  account,
  version,
  publishedAt: at,
});

/** Configurations that are nothing but their documents. */
function open(...kept: PublishedConfiguration[]) {
  const calls = { reads: 0 };
  const publications = new Publications(
    (account, all) => {
      const documents = new Map(all.map(({ version, document }) => [version, document]));
      const at = (version: number) => ({ document: documents.get(version) }) as never;
      return { account, current: at(all.at(-1)?.version ?? 0), at, findTrigger: () => null };
    },
    () => {
      calls.reads++;
      return Promise.resolve(kept);
    },
  );
  const documentAt = async (version: number) =>
    ((await publications.at('a', version)) as unknown as { readonly document: unknown }).document;
  return { kept, calls, publications, documentAt };
}

describe('the configurations of a service', () => {
  it('are read once for all partitions when a message announces a version', async () => {
    const { publications, calls, kept } = open(publishedAt(1));
    for (let partition = 0; partition < 10; partition++) await publications.learn(newsOf(publishedAt(1)));
    expect(calls.reads).toBe(1);
    kept.push(publishedAt(2, 2));
    for (let partition = 0; partition < 10; partition++) await publications.learn(newsOf(publishedAt(2, 2)));
    expect(calls.reads).toBe(2);
    expect(publications.histories()).toHaveLength(1);
  });

  it('are read once for all recorded events of a version', async () => {
    const { calls, documentAt } = open(publishedAt(1), publishedAt(2, 2));
    for (let record = 0; record < 10; record++) expect(await documentAt(2)).toBe('2 at 2');
    expect(calls.reads).toBe(1);
  });

  it('are those in force at the first event, even if a version was published again without announcement', async () => {
    const { publications, kept, documentAt } = open(publishedAt(1));
    await publications.load();
    kept.push(publishedAt(2));
    expect(await documentAt(1)).toBe('1 at 2');
  });

  it('make the service wait until they have arrived', async () => {
    const { publications, kept, documentAt } = open();
    await expect(publications.learn(newsOf(publishedAt(1)))).rejects.toThrow('version 1 of account a has not arrived');
    await expect(documentAt(1)).rejects.toThrow('version 1 of account a has not arrived');
    kept.push(publishedAt(1));
    await publications.learn(newsOf(publishedAt(1)));
    expect(await documentAt(1)).toBe('1 at 1');
  });
});
