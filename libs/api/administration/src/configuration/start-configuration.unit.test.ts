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
    return startConfiguration('default', { engine: this, files: this, file, demo });
  }

  publishLive(document: unknown, accept = false, text: string | null = null) {
    const written: WrittenDocument = { document, text };
    return new LiveConfigurations(this, this).publish('default', written, {
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
  it('leaves the version in force', async () => {
    await installation.start(TWO);
    for (const demo of [true, false]) expect((await installation.start(null, demo)).present).toBeNull();
    expect(installation.documents).toEqual([TWO]);
  });

  it('publishes the demo where it may and nothing is published, and nothing at the next', async () => {
    await installation.start(null, true);
    await installation.start(null, true);
    expect(installation.documents).toMatchObject([{ metrics: [{ key: 'lessons' }, {}] }]);
  });

  it('is refused where the demo may not be', async () => {
    await expect(installation.start(null)).rejects.toThrow(/^LAUREL_CONFIG is not set, and the database holds no conf/);
    expect(installation.documents).toEqual([]);
  });
});

describe('a start with LAUREL_CONFIG', () => {
  it('publishes a changed file, once', async () => {
    for (const file of [ONE, ONE, TWO, TWO]) await installation.start(file);
    expect(installation.documents).toEqual([ONE, TWO]);
  });

  it('leaves what was published live while the file is the same, over any number of starts', async () => {
    await installation.start(ONE);
    await installation.publishLive(TWO);
    for (let start = 0; start < 3; start++) expect((await installation.start(ONE)).note).toBeNull();
    expect(installation.documents).toEqual([ONE, TWO]);
  });

  it('knows a file that was published live as the last one, once a start has seen it', async () => {
    await installation.start(ONE);
    await installation.publishLive(TWO);
    await installation.start(TWO);
    await installation.publishLive(THREE);
    expect((await installation.start(TWO)).present).toBeNull();
    expect(installation.documents).toEqual([ONE, TWO, THREE]);
  });

  it('finds the file in force if the process had ended before it was recorded', async () => {
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

describe('the text of a file', () => {
  it('is kept with its version', async () => {
    await installation.start(ONE, false, '# one');
    await installation.start(TWO, false, '# two');
    expect([...installation.texts]).toEqual([
      [1, '# one'],
      [2, '# two'],
    ]);
  });

  it('replaces the one shown if it says the same, and makes no version', async () => {
    await installation.start(ONE, false, '# one');
    await installation.start(ONE, false, '# the first');
    expect([installation.documents, ...installation.texts]).toEqual([[ONE], [1, '# the first']]);
  });

  it('is given to a version of which none is kept', async () => {
    await installation.publishConfiguration('default', ONE);
    await installation.start(ONE, false, '# one');
    expect([...installation.texts]).toEqual([[1, '# one']]);
  });

  it('is not given to what was published live since', async () => {
    await installation.start(ONE, false, '# one');
    await installation.publishLive(TWO, false, '# live');
    await installation.start(ONE, false, '# the first');
    expect([...installation.texts]).toEqual([
      [1, '# one'],
      [2, '# live'],
    ]);
  });

  it('of the demo is kept, too', async () => {
    await installation.start(null, true);
    expect(installation.texts.get(1)).toContain('# ');
  });

  it('that is held back is not shown', async () => {
    await installation.start(THREE, false, '# three');
    await installation.start(ONE, false, '# one');
    expect([...installation.texts]).toEqual([[1, '# three']]);
  });
});

describe('a file that is held back', () => {
  const health = () => new Health(createClock({ type: 'system' }));

  beforeEach(async () => {
    await installation.start(THREE);
  });

  it('leaves the version in force at every start, and is told with its plan', async () => {
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

  it('is published by accepting it, and then known as the last one', async () => {
    const held = await installation.start(ONE);
    const ready = health();
    reportHeldFile(held, ready, { warn: () => undefined });
    expect(await installation.publishLive(ONE, true)).toMatchObject({ created: true, publication: { version: 2 } });
    expect([held.present, heldBackAnswer(held.present), (await ready.report()).notes]).toEqual([null, {}, {}]);
    await installation.publishLive(TWO);
    await installation.start(ONE);
    expect(installation.documents).toEqual([THREE, ONE, TWO]);
  });

  it('waits on while something else is published', async () => {
    const held = await installation.start(ONE);
    await installation.publishLive(TWO);
    expect(held.present).not.toBeNull();
  });

  it('waits no longer once its content takes the place of the version in force, under the same number', () => {
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

  it('can be accepted also if it is in force by now', async () => {
    await installation.start(ONE);
    await installation.publishLive(ONE);
    expect(await installation.publishLive(ONE, true)).toMatchObject({ created: false });
    expect(installation.last).toEqual(ONE);
  });

  it('nothing is reported of a start that held nothing back', async () => {
    const ready = health();
    const warn = () => {
      throw new Error('it was logged');
    };
    reportHeldFile(HeldFile.NONE, ready, { warn });
    expect((await ready.report()).notes).toEqual({});
  });
});
