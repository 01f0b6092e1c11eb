import { StoreUnavailableError, type GiveGrant, type KeyHash } from '@laurel/kernel';
import { refused } from '@laurel/engine';
import { subjectOf } from '@laurel/testing/subjects';
import { refusedGrants } from './refused-grants.ts';

const grant = (user: string, keyHash: string | null = null, account = 'default'): GiveGrant => ({
  ...{ type: 'GiveGrant', account, subject: subjectOf(user), attribution: {} },
  grant: { kind: 'points', system: 'xp', amount: 5n },
  keyHash: keyHash as KeyHash | null,
});
const OPEN = refused('import_open', null);

const partsWith = (openAccounts: readonly string[], used: readonly string[] = []) => ({
  imports: { isOpen: (account: string) => Promise.resolve(openAccounts.includes(account)) },
  store: { findKeys: () => Promise.resolve(used.map((keyHash) => ({ keyHash })) as never) },
});

describe('a grant', () => {
  it('is refused while an import of its account is open, and while none is it is not', async () => {
    const [ada, bob] = [grant('ada'), grant('bob', null, 'other')];
    const naming = { type: 'IdentifyUser', account: 'default', subject: subjectOf('eve'), user: {} } as const;
    expect(await refusedGrants([ada, bob, naming], partsWith([]))).toEqual(new Map());
    expect(await refusedGrants([ada, bob, naming], partsWith(['default']))).toEqual(new Map([[ada, OPEN]]));
  });

  it('stays a replay if its key was used', async () => {
    const [first, second] = [grant('ada', 'used'), grant('bob', 'fresh')];
    expect(await refusedGrants([first, second], partsWith(['default'], ['used']))).toEqual(new Map([[second, OPEN]]));
  });

  it('is not judged while the log cannot be asked', async () => {
    const store = { findKeys: () => Promise.reject(new Error('away')) };
    await expect(refusedGrants([grant('ada', 'k')], { ...partsWith(['default']), store })).rejects.toThrow(
      StoreUnavailableError,
    );
  });
});
