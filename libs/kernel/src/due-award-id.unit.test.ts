import { dueAwardId } from './due-award-id.ts';

describe('the id of a due time award', () => {
  it('never changes, because clients store ids of this form', () => {
    const owner = { account: 'default', userId: 'ada', system: 'xp' };
    expect(dueAwardId(owner, 'd009749e-74b5-5e3c-8fb3-8a7232a7a537', Date.parse('2026-03-01T12:00:00Z'))).toBe(
      '41babec6-f943-5b2b-97ee-c28b543e1a1f',
    );
  });
});
