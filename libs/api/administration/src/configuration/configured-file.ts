import { readFile } from 'node:fs/promises';
import { DEMO_CONFIGURATION, formatProblems, parseDocument, type WrittenDocument } from '@laurel/configuration';

/** The configuration cannot be used; the message says where and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * The document of LAUREL_CONFIG, or null if the variable is not set.
 * @throws ConfigurationError if the file cannot be read, or with all its problems: file, line, column, path.
 */
export async function readConfiguredFile(file: string | null): Promise<WrittenDocument | null> {
  if (file === null) return null;
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ConfigurationError(`LAUREL_CONFIG ${file} cannot be read: ${error.message}`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigurationError(`LAUREL_CONFIG ${file} is not encoded in UTF-8`);
  }
  return documentOf(text, file);
}

export const demoDocument = (): WrittenDocument => documentOf(DEMO_CONFIGURATION, 'demo configuration');

function documentOf(text: string, name: string): WrittenDocument {
  const { document, problems, more } = parseDocument(text, name);
  if (problems)
    throw new ConfigurationError(
      `the configuration cannot be used; nothing was applied\n${formatProblems(problems, more)}`,
    );
  return { document, text };
}
