import { isOutOfSpace } from './out-of-space.ts';

describe('a server that could not start', () => {
  it('is not out of space if its folder is gone', async () => {
    expect(await isOutOfSpace(new Error('it ended'), '/nowhere/laurel')).toBe(false);
  });

  it.each(['No space left on device', 'Disk quota exceeded', 'File too large'])(
    'is out of space if it says: %s',
    async (message) => {
      expect(await isOutOfSpace(new Error(`PANIC: could not write: ${message}`), '/nowhere/laurel')).toBe(true);
    },
  );
});
