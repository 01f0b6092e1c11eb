import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { openSecretBox, SecretBox } from './secret-box.ts';
import { newSecret, rotated, ROTATION_MS, signatureHeaders, type Secret } from './signing.ts';

describe('stored secrets', () => {
  const box = new SecretBox(() => 'a key that nobody guesses');

  it('are readable only with their key, for their purpose and unchanged', () => {
    const sealed = box.seal('whsec_x', 'endpoint 1');
    expect(sealed).not.toContain('whsec');
    expect(box.open(sealed, 'endpoint 1')).toBe('whsec_x');
    expect(box.open(sealed, 'endpoint 2')).toBeNull();
    expect(new SecretBox(() => 'another key').open(sealed, 'endpoint 1')).toBeNull();
    const parts = sealed.split('.');
    for (const [index, part] of parts.entries()) {
      const changed = (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
      expect(box.open(parts.with(index, changed).join('.'), 'endpoint 1')).toBeNull();
    }
    expect(box.open('', 'endpoint 1')).toBeNull();
    expect(box.seal('whsec_x', 'endpoint 1')).not.toBe(sealed);
  });

  it('are encrypted with the key in the data folder, which only its owner can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-'));
    try {
      const boxes = [openSecretBox(null, folder), openSecretBox(null, folder)];
      expect(await readdir(folder)).toEqual([]);
      const sealed = boxes.map((one) => one.seal('x', 'y'));
      const later = openSecretBox(null, folder);
      expect(sealed.map((text) => later.open(text, 'y'))).toEqual(['x', 'x']);
      expect(openSecretBox('a given key instead', folder).open(sealed[0] ?? '', 'y')).toBeNull();
      const unused = openSecretBox('a given key instead', folder).unused;
      expect([unused?.file, unused?.box.open(sealed[0] ?? '', 'y')]).toEqual([join(folder, 'secrets.key'), 'x']);
      const same = (await readFile(join(folder, 'secrets.key'), 'utf8')).trim();
      expect([openSecretBox(same, folder).unused, openSecretBox(null, folder).unused]).toEqual([null, null]);
      expect(await readdir(folder)).toEqual(['secrets.key']);
      expect((await stat(join(folder, 'secrets.key'))).mode & 0o777).toBe(0o600);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('webhook signatures', () => {
  const at = Math.floor(Date.now() / 1_000) * 1_000;
  const signed = { id: 'an-id', body: '{"a":"ä"}', at, trophySignature: false };

  it('follow Standard Webhooks, with both secrets for a day after a rotation', () => {
    const first = [newSecret()];
    const second = rotated(first, at);
    const third = rotated(second, at);
    const verifies = (by: typeof first, headers: Record<string, string>) =>
      new Webhook(by[0]?.secret ?? '').verify(signed.body, headers);
    const headers = signatureHeaders(second, signed);
    expect(verifies(first, headers)).toEqual({ a: 'ä' });
    expect(verifies([...second], headers)).toEqual({ a: 'ä' });
    expect(() => verifies([newSecret()], headers)).toThrow('No matching signature');
    expect(signatureHeaders(third, signed)['webhook-signature'].split(' ')).toHaveLength(2);
    const later = signatureHeaders(second, { ...signed, at: at + ROTATION_MS });
    expect(later['webhook-signature'].split(' ')).toHaveLength(1);
  });

  it('include the signature of Trophy on request', () => {
    const secret: Secret = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', until: null };
    expect(signatureHeaders([secret], signed)).not.toHaveProperty('x-trophy-signature');
    expect(signatureHeaders([secret], { ...signed, trophySignature: true })).toMatchObject({
      // printf '{"a":"ä"}' | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw -binary | base64
      'x-trophy-signature': '3FuTioEX+nILvBqMWAHjkmOR+XGZmk6Jdr2aJqE7610=',
    });
  });

  it('include the signature of Trophy by the newest secret only', () => {
    const secrets = rotated([newSecret()], at);
    const headers = signatureHeaders(secrets, { ...signed, trophySignature: true });
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(headers['x-trophy-signature']).toBe(
      createHmac('sha256', secrets[0]?.secret ?? '')
        .update(signed.body)
        .digest('base64'),
    );
  });
});
