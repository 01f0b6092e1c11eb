import { createHash } from 'node:crypto';
import { SCOPES } from '@laurel/schemas';
import { fullScopeKey, generateApiKey, hasApiKeyForm, hashApiKey } from './api-keys.ts';

describe('API keys', () => {
  it('have the form that secret scanners recognize, with a checksum', () => {
    for (let made = 0; made < 100; made++) {
      const key = generateApiKey();
      expect(key).toMatch(/^lrl_[0-9A-Za-z]{36}$/);
      expect(hasApiKeyForm(key)).toBe(true);
      const changed = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11);
      expect(hasApiKeyForm(changed)).toBe(false);
    }
    expect(hasApiKeyForm('lrl_short')).toBe(false);
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 1_000 }, generateApiKey)).size).toBe(1_000);
  });

  it('are identified by the SHA-256 of the whole key', () => {
    expect(hashApiKey('lrl_ä')).toBe(createHash('sha256').update('lrl_ä', 'utf8').digest('hex'));
  });

  it('have an account and every scope when they were set in the environment', () => {
    const keys = fullScopeKey('given', 'a');
    expect(keys.find(hashApiKey('given'))).toEqual({ account: 'a', by: 'environment', scopes: new Set(SCOPES) });
    expect(keys.find(hashApiKey('other'))).toBe('unknown');
  });
});
