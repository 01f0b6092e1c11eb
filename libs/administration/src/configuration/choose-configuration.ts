import { readFile } from 'node:fs/promises';
import { DEMO_CONFIGURATION, formatProblems, parseDocument, sameDocument } from '@laurel/configuration';
import type { PublishingEngine } from './live-configurations.ts';

/** The configuration cannot be used; the message says where and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export interface ChosenConfiguration {
  readonly document: unknown;
  readonly demo: boolean;
}

/** The document of LAUREL_CONFIG, or the demo's. @throws ConfigurationError with every problem: file, line, column, path. */
export async function chooseConfiguration(file: string | null): Promise<ChosenConfiguration> {
  if (file === null) return { document: read(DEMO_CONFIGURATION, 'demo configuration'), demo: true };
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ConfigurationError(`LAUREL_CONFIG ${file} cannot be read: ${error.message}`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigurationError(`LAUREL_CONFIG ${file} is not encoded in UTF-8`);
  }
  return { document: read(text, file), demo: false };
}

function read(text: string, name: string): unknown {
  const { document, problems } = parseDocument(text, name);
  if (problems)
    throw new ConfigurationError(`the configuration cannot be used; nothing was applied\n${formatProblems(problems)}`);
  return document;
}

/** Publishes the document as the next version unless it is, by content, the one in force (specification, section 9). */
export async function publishIfChanged(
  engine: Pick<PublishingEngine, 'publications' | 'publishConfiguration'>,
  account: string,
  { document }: ChosenConfiguration,
): Promise<void> {
  const inForce = engine.publications(account).at(-1);
  if (inForce === undefined || !sameDocument(inForce.document, document))
    await engine.publishConfiguration(account, document);
}
