import { generateApiKey, hashApiKey } from '../api-keys.ts';
import { KeyHashes } from './key-hashes.ts';

type Brought = Parameters<KeyHashes['hashOf']>[0];
const request = (socket: object, header?: string | string[]) =>
  ({ headers: { 'x-api-key': header }, socket }) as unknown as Brought;

describe('the hash of the key of a request', () => {
  it('belongs to that key, whichever key the connection sent before', () => {
    const hashes = new KeyHashes();
    const [one, other] = [{}, {}];
    const [ours, theirs] = [generateApiKey(), generateApiKey()];
    for (const [socket, key] of [
      [one, ours],
      [one, ours],
      [other, theirs],
      [one, theirs],
      [one, ours],
      [other, theirs],
      [other, 'x'.repeat(5_000)],
      [other, theirs],
    ] as const)
      expect(hashes.hashOf(request(socket, key))).toBe(hashApiKey(key));
  });

  it('is computed once for a connection that repeats its key, unless the key is far too long', () => {
    const hashed: number[] = [];
    const hashes = new KeyHashes((key) => {
      hashed.push(key.length);
      return hashApiKey(key);
    });
    const [one, other, key] = [{}, {}, generateApiKey()];
    for (const socket of [one, one, other, one, other]) hashes.hashOf(request(socket, key));
    expect(hashed).toEqual([40, 40]);
    for (let time = 0; time < 2; time++) hashes.hashOf(request(one, 'x'.repeat(257)));
    expect(hashed).toEqual([40, 40, 257, 257]);
  });

  it('is computed from the text that the header bytes encode', () => {
    const latin1 = Buffer.from('schlüssel-aus-versehen', 'utf8').toString('latin1');
    const [hashes, socket] = [new KeyHashes(), {}];
    for (let time = 0; time < 2; time++)
      expect(hashes.hashOf(request(socket, latin1))).toBe(hashApiKey('schlüssel-aus-versehen'));
  });

  it.each([[undefined], [''], [['a', 'b']]])('is null without a key: %j', (header) => {
    const [hashes, socket] = [new KeyHashes(), {}];
    hashes.hashOf(request(socket, generateApiKey()));
    expect(hashes.hashOf(request(socket, header))).toBeNull();
  });
});
