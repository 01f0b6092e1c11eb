import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** File name in the data folder. */
export const SECRETS_KEY_FILE = 'secrets.key';
const FORM = 'v1';

export interface UnusedKey {
  readonly file: string;
  readonly box: SecretBox;
}

/** Encrypts texts with AES-256-GCM. Each text is bound to its subject `about`: moved elsewhere, it cannot be opened. */
export class SecretBox {
  readonly #key: () => string;
  /** A second key, which is not used. */
  readonly unused: UnusedKey | null;
  #derived: Buffer | null = null;

  /** @param key returns an unguessable text; called once, when it is first needed */
  constructor(key: () => string, unused: UnusedKey | null = null) {
    this.#key = key;
    this.unused = unused;
  }

  seal(text: string, about: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey(), nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [FORM, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** null if the text was sealed with another key or for another subject, or was changed since. */
  open(sealed: string, about: string): string | null {
    const [form, nonce = '', tag = '', content = ''] = sealed.split('.');
    if (form !== FORM) return null;
    const key = this.#cipherKey();
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
      cipher.setAAD(Buffer.from(about)).setAuthTag(Buffer.from(tag, 'base64url'));
      return cipher.update(content, 'base64url', 'utf8') + cipher.final('utf8');
    } catch {
      return null;
    }
  }

  #cipherKey(): Buffer {
    return (this.#derived ??= Buffer.from(hkdfSync('sha256', this.#key(), '', 'laurel webhook secrets', 32)));
  }
}

/**
 * Opens the box of a process: with the given key, or with the key of the data folder, which is created when it is first
 * needed.
 */
export function openSecretBox(given: string | null, dataDir: string): SecretBox {
  const file = join(dataDir, SECRETS_KEY_FILE);
  if (given === null) return new SecretBox(() => readKey(file) ?? makeKey(file));
  const left = readKey(file);
  const unused = left === null || left === given ? null : { file, box: new SecretBox(() => left) };
  return new SecretBox(() => given, unused);
}

/** null if the file does not exist. */
function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** @throws Error if the folder is neither readable nor writable */
function makeKey(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  // Linked into place as a whole or not at all, and never over an existing one.
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(whole, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(whole, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
