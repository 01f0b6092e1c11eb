import { v5 } from 'uuid';
import { uuidsIn } from './name-uuid.ts';

const NAMESPACE = '5d0a4c1b-8d0e-5b3c-9a77-0a3f1c5e6b42';

describe('uuidsIn', () => {
  it('returns the same version 5 UUID as the uuid library, for any text', () => {
    const idOf = uuidsIn(NAMESPACE);
    for (const word of ['', 'daily', '__proto__', 'Zoë 🦊', '"', '\u0000', 'x'.repeat(10_000)])
      for (let number = 0; number < 40; number++)
        expect(idOf(`${word}${number}`)).toBe(v5(`${word}${number}`, NAMESPACE));
  });

  it('returns other UUIDs in another namespace', () => {
    const other = uuidsIn('c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d');
    expect(other('daily')).not.toBe(uuidsIn(NAMESPACE)('daily'));
  });
});
