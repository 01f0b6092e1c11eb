import { sharedBuffers } from './settings.ts';

const GIB = 2 ** 30;

it.each([
  [1, '192MB'],
  [2, '256MB'],
  [8, '1024MB'],
  [24, '2048MB'],
  [512, '2048MB'],
])('of %s GiB the server takes an eighth, within bounds, for its buffers: %s', (memory, buffers) => {
  expect(sharedBuffers(memory * GIB)).toBe(buffers);
});
