import { decideFile, sameDocument, type WrittenDocument } from '@laurel/configuration';
import type { ConfigurationFiles } from '@laurel/database';
import type { AttributeHashing } from '@laurel/ports';
import { ConfigurationError, demoDocument } from './configured-file.ts';
import { HeldFile } from './held-file.ts';
import type { Logger } from '@laurel/runtime';
import { exclusively, publishWritten, type PublicationTarget, type PublishingEngine } from './live-configurations.ts';

export interface ConfigurationStart {
  readonly engine: PublishingEngine;
  readonly files: ConfigurationFiles;
  readonly hashing: AttributeHashing;
  /** The file of LAUREL_CONFIG, or null if the variable is not set. */
  readonly file: WrittenDocument | null;
  /** Whether an account without a configuration gets the demo's. Only with the embedded database. */
  readonly demo: boolean;
  /** Logs a publication. */
  readonly logger?: Logger;
}

/**
 * Puts a configuration in force when a process starts (specification, section 9.2). No other process publishes at the
 * same time.
 * @returns the file that the start did not publish, if there is one. @throws ConfigurationError if there is no
 * configuration to start with.
 */
export async function startConfiguration(account: string, start: ConfigurationStart): Promise<HeldFile> {
  const newest = () => start.engine.publications(account).at(-1);
  const before = newest();
  const held = await exclusively(start.engine, account, (engine) =>
    start.file === null
      ? startWithout(account, { ...start, engine })
      : startWith(account, start.file, { ...start, engine }, start.engine),
  );
  const now = newest();
  if (now !== undefined && now !== before)
    start.logger?.info({ account, version: now.version }, 'configuration published');
  return held;
}

/** Keeps the version in force. If there is none, publishes the demo's if that is allowed. */
async function startWithout(account: string, { engine, files, hashing, demo }: ConfigurationStart): Promise<HeldFile> {
  if (engine.publications(account).length > 0) return HeldFile.NONE;
  if (!demo)
    throw new ConfigurationError(
      'LAUREL_CONFIG is not set, and the database holds no configuration: set LAUREL_CONFIG to your configuration file, ' +
        'and check that LAUREL_DATABASE_URL names the database you mean (the demo starts on the embedded database only)',
    );
  await publishFile({ account, engine, files, hashing }, demoDocument());
  return HeldFile.NONE;
}

async function startWith(
  account: string,
  file: WrittenDocument,
  { engine, files, hashing }: ConfigurationStart,
  later: PublishingEngine,
): Promise<HeldFile> {
  const publications = engine.publications(account);
  const inForce = publications.at(-1);
  const published = { publications, holdsEvents: engine.holdsEvents(account) };
  const { document } = file;
  const decision = decideFile(published, await files.lastPublished(account), document);
  switch (decision.type) {
    case 'hold':
      return new HeldFile({
        ...decision,
        file: document,
        overDemo: published.holdsEvents && isDemo(inForce?.document),
        publications: () => later.publications(account),
      });
    case 'publish':
      await publishFile({ account, engine, files, hashing }, file);
      return HeldFile.NONE;
    case 'keep':
      if (inForce !== undefined && sameDocument(inForce.document, document))
        await files.keepText(account, inForce, file.text);
      await files.record(account, document);
      return HeldFile.NONE;
  }
}

/**
 * Publishes the file, then records it. If the process ends in between, the next start finds the file in force and
 * records it.
 */
async function publishFile(target: PublicationTarget, file: WrittenDocument): Promise<void> {
  await publishWritten(target, file, { by: 'start' });
  await target.files.record(target.account, file.document);
}

/** Whether the document is the demo's. It is then the only configuration ever published. */
export const isDemo = (document: unknown): boolean => sameDocument(document, demoDocument().document);
