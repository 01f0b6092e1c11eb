import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the data folder. */
export const SECRETS_KEY_FILE = 'secrets.key';
const FORM = 'v1';

/** Encrypts what must be readable again, by AES-256-GCM. What it is about is bound to it: a text moved elsewhere cannot be opened. */
export class SecretBox {
  readonly #key: () => string;
  #derived: Buffer | null = null;

  /** @param key any text that nobody guesses; asked for once, when it is first needed */
  constructor(key: () => string) {
    this.#key = key;
  }

  seal(text: string, about: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey(), nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [FORM, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** null: it was sealed with another key, for something else, or was changed since. */
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

/** The box of a process: with the key that was given, or with the one of the data folder, which is made when it is first needed. */
export const openSecretBox = (given: string | null, dataDir: string): SecretBox =>
  new SecretBox(() => given ?? keyOfFolder(dataDir));

/** @throws Error if the folder can neither be read nor written */
function keyOfFolder(folder: string): string {
  const path = join(folder, SECRETS_KEY_FILE);
  const read = () => readFileSync(path, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(folder, { recursive: true });
  // Linked into its place whole, or not at all, and never over another one.
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(whole, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(whole, { force: true });
  }
  return read();
}
