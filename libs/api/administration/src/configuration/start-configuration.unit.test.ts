import type { Publication, WrittenDocument } from '@laurel/configuration';
import type { ConfigurationFiles } from '@laurel/database';
import { createClock, Health } from '@laurel/runtime';
import { HeldFile, heldBackAnswer, reportHeldFile } from './held-file.ts';
import { LiveConfigurations, type PublishingEngine } from './live-configurations.ts';
import { startConfiguration } from './start-configuration.ts';

const documentOf = (...metrics: readonly string[]) => ({
  version: 1,
  metrics: metrics.map((key) => ({ key, name: key })),
});
const [ONE, TWO, THREE] = [documentOf('a'), documentOf('a', 'b'), documentOf('a', 'b', 'c')];

const NOTHING_HASHED = { attributeHashes: () => Promise.reject(new Error('these documents have no conditions')) };

/** A database with a log, over several starts. */
class Installation implements PublishingEngine, ConfigurationFiles {
  readonly published: Publication[] = [];
  readonly texts = new Map<number, string | null>();
  last: unknown = null;

  publications = () => this.published;
  holdsEvents = () => true;
  lastPublished = () => Promise.resolve(this.last);
  record = (_account: string, document: unknown) => Promise.resolve(void (this.last = structuredClone(document)));
  textOf = (_account: string, { version }: { version: number }) => Promise.resolve(this.texts.get(version) ?? null);
  keepText = (_account: string, { version }: { version: number }, text: string | null) =>
    Promise.resolve(void this.texts.set(version, text));

  async publishConfiguration(_account: string, document: unknown): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const version = this.published.length + 1;
    this.published.push({ version, document: structuredClone(document), publishedAt: version });
  }

  start(document: unknown, demo = false, text = 'the file'): Promise<HeldFile> {
    const file = document === null ? null : { document, text };
    return startConfiguration('default', { engine: this, files: this, hashing: NOTHING_HASHED, file, demo });
  }

  publishLive(document: unknown, accept = false, text: string | null = null) {
    const written: WrittenDocument = { document, text };
    return new LiveConfigurations(this, this, NOTHING_HASHED).publish('default', written, {
      accept,
      plan: null,
      attribution: { by: 'a-key' },
    });
  }

  get documents(): readonly unknown[] {
    return this.published.map(({ document }) => document);
  }
}

let installation: Installation;
beforeEach(() => (installation = new Installation()));

describe('a start without LAUREL_CONFIG', () => {
  it('keeps the version in force', async () => {
    await installation.start(TWO);
    for (const demo of [true, false]) expect((await installation.start(null, demo)).present).toBeNull();
    expect(installation.documents).toEqual([TWO]);
  });

  it('publishes the demo once, if that is permitted and nothing is published', async () => {
    await installation.start(null, true);
    await installation.start(null, true);
    expect(installation.documents).toMatchObject([{ metrics: [{ key: 'lessons' }, {}] }]);
  });

  it('fails when nothing is published and the demo is not permitted', async () => {
    await expect(installation.start(null)).rejects.toThrow(/^LAUREL_CONFIG is not set, and the database holds no conf/);
    expect(installation.documents).toEqual([]);
  });
});

describe('a start with LAUREL_CONFIG', () => {
  it('publishes a changed file once', async () => {
    for (const file of [ONE, ONE, TWO, TWO]) await installation.start(file);
    expect(installation.documents).toEqual([ONE, TWO]);
  });

  it('keeps a version published live over any number of starts with the same file', async () => {
    await installation.start(ONE);
    await installation.publishLive(TWO);
    for (let start = 0; start < 3; start++) expect((await installation.start(ONE)).note).toBeNull();
    expect(installation.documents).toEqual([ONE, TWO]);
  });

  it('treats a file that was published live as seen once a start has read it', async () => {
    await installation.start(ONE);
    await installation.publishLive(TWO);
    await installation.start(TWO);
    await installation.publishLive(THREE);
    expect((await installation.start(TWO)).present).toBeNull();
    expect(installation.documents).toEqual([ONE, TWO, THREE]);
  });

  it('recognizes the file in force when the process ended before recording it', async () => {
    await installation.publishConfiguration('default', TWO);
    await installation.start(TWO);
    await installation.publishLive(THREE);
    expect((await installation.start(TWO)).present).toBeNull();
  });

  it('publishes a file over the demo of an account without events', async () => {
    await installation.start(null, true);
    installation.holdsEvents = () => false;
    await installation.start(ONE);
    expect(installation.documents).toHaveLength(2);
  });
});

describe('the text of a configuration file', () => {
  it('is stored with its version', async () => {
    await installation.start(ONE, false, '# one');
    await installation.start(TWO, false, '# two');
    expect([...installation.texts]).toEqual([
      [1, '# one'],
      [2, '# two'],
    ]);
  });

  it('replaces the stored text without a new version when the document is the same', async () => {
    await installation.start(ONE, false, '# one');
    await installation.start(ONE, false, '# the first');
    expect([installation.documents, ...installation.texts]).toEqual([[ONE], [1, '# the first']]);
  });

  it('is stored for a version that has no text', async () => {
    await installation.publishConfiguration('default', ONE);
    await installation.start(ONE, false, '# one');
    expect([...installation.texts]).toEqual([[1, '# one']]);
  });

  it('does not replace the text of a version published live since', async () => {
    await installation.start(ONE, false, '# one');
    await installation.publishLive(TWO, false, '# live');
    await installation.start(ONE, false, '# the first');
    expect([...installation.texts]).toEqual([
      [1, '# one'],
      [2, '# live'],
    ]);
  });

  it('is stored for the demo, too', async () => {
    await installation.start(null, true);
    expect(installation.texts.get(1)).toContain('# ');
  });

  it('is not stored while the file is held back', async () => {
    await installation.start(THREE, false, '# three');
    await installation.start(ONE, false, '# one');
    expect([...installation.texts]).toEqual([[1, '# three']]);
  });
});

describe('a configuration file that is held back', () => {
  const health = () => new Health(createClock({ type: 'system' }));

  beforeEach(async () => {
    await installation.start(THREE);
  });

  it('keeps the version in force at every start and is reported with its plan', async () => {
    await installation.start(ONE);
    const held = await installation.start(ONE);
    expect(installation.documents).toEqual([THREE]);
    expect(held.present).toMatchObject({ reasons: ['removes metrics'], plan: { current: 1, next: 2 } });
    expect(heldBackAnswer(held.present)).toEqual({
      heldBackConfiguration: { reasons: ['removes metrics'], changes: 2 },
    });
    const logged: unknown[] = [];
    const ready = health();
    reportHeldFile(held, ready, { warn: (...line: unknown[]) => void logged.push(line) });
    const note =
      'the file of LAUREL_CONFIG was not published: its plan removes metrics; ' +
      'version 1 stays in force until `laurel config publish --accept FILE`';
    expect(logged).toMatchObject([
      [{ reasons: ['removes metrics'], plan: { changes: [{ path: 'metrics.b' }, {}] } }, note],
    ]);
    expect((await ready.report()).notes).toEqual({ configuration: note });
  });

  it('is published by accepting it, and then counts as the last file', async () => {
    const held = await installation.start(ONE);
    const ready = health();
    reportHeldFile(held, ready, { warn: () => undefined });
    expect(await installation.publishLive(ONE, true)).toMatchObject({ created: true, publication: { version: 2 } });
    expect([held.present, heldBackAnswer(held.present), (await ready.report()).notes]).toEqual([null, {}, {}]);
    await installation.publishLive(TWO);
    await installation.start(ONE);
    expect(installation.documents).toEqual([THREE, ONE, TWO]);
  });

  it('stays held back while something else is published', async () => {
    const held = await installation.start(ONE);
    await installation.publishLive(TWO);
    expect(held.present).not.toBeNull();
  });

  it('is no longer held back once its content replaces the current version', () => {
    const publications = [{ version: 1, document: TWO, publishedAt: 1 }];
    const plan = { id: 'a-plan', current: 1, next: 1, changes: [] };
    const held = new HeldFile({
      reasons: ['drops what was published live'],
      plan,
      file: ONE,
      overDemo: false,
      publications: () => publications,
    });
    expect(held.present).not.toBeNull();
    publications.splice(0, 1, { version: 1, document: ONE, publishedAt: 2 });
    expect(held.present).toBeNull();
  });

  it('can be accepted when it is already in force', async () => {
    await installation.start(ONE);
    await installation.publishLive(ONE);
    expect(await installation.publishLive(ONE, true)).toMatchObject({ created: false });
    expect(installation.last).toEqual(ONE);
  });

  it('is not reported by a start that held nothing back', async () => {
    const ready = health();
    const warn = () => {
      throw new Error('it was logged');
    };
    reportHeldFile(HeldFile.NONE, ready, { warn });
    expect((await ready.report()).notes).toEqual({});
  });
});
