import { sizesFor } from './settings.ts';

const GIB = 2 ** 30;

it.each([
  [0.25, 10, '32MB', '1024MB'],
  [0.5, 10, '64MB', '1024MB'],
  [1, 10, '128MB', '1024MB'],
  [1.49, 10, '190MB', '1024MB'],
  [2, 20, '256MB', '1024MB'],
  [8, 40, '1024MB', '2048MB'],
  [24, 250, '2048MB', '4096MB'],
  [512, 4_000, '2048MB', '4096MB'],
])(
  'sizesFor: %s GiB of memory and a disk of %s GiB give buffers of %s and a WAL of %s',
  (memory, disk, buffers, wal) => {
    const sizes = sizesFor({ memoryBytes: memory * GIB, diskBytes: disk * GIB });
    expect([...sizes]).toEqual([
      ['shared_buffers', buffers],
      ['max_wal_size', wal],
    ]);
  },
);
