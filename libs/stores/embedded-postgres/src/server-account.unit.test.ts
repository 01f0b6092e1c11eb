import { readAccounts } from './server-account.ts';

describe('readAccounts', () => {
  it('reads the format of passwd(5) and ignores comments and broken lines', () => {
    const passwd = [
      '##',
      '# User Database',
      'root:x:0:0:root:/home-of-root:/bin/bash',
      'nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false',
      'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash',
      'broken:x::',
      '+nis',
      '',
    ].join('\n');
    expect(readAccounts(passwd)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'nobody', uid: 4_294_967_294, gid: 4_294_967_294 },
      { name: 'postgres', uid: 101, gid: 104 },
    ]);
  });
});
