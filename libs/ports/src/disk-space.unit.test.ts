import { inBytes } from './disk-space.ts';

describe('inBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 2, '5.0 MiB'],
    [2.25 * 1024 ** 3, '2.3 GiB'],
    [3 * 1024 ** 4, '3.0 TiB'],
    [4096 * 1024 ** 5, '4096.0 PiB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(inBytes(bytes)).toBe(text));
});
