import { v5 } from 'uuid';
import { dueAwardId, firedAwardId } from './award-id.ts';

const AWARDS = 'c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d';

describe('the id of an award', () => {
  it('is the UUID of version 5 of what the award is, for any text', () => {
    for (const user of ['ada', '__proto__', 'Zoë 🦊', '"', '10'])
      for (let at = 0; at < 40; at++) {
        const due = v5(JSON.stringify(['default', user, 'xp', 'daily', at]), AWARDS);
        expect(dueAwardId('default', user, 'xp', 'daily', at)).toBe(due);
        expect(firedAwardId(`event-${at}`, user)).toBe(v5(JSON.stringify([`event-${at}`, user]), AWARDS));
      }
  });

  it('does not change: clients have been told ids of this form', () => {
    expect(firedAwardId('01a1fd77-ca34-75e3-86b3-b3e170a5cb98', 'd009749e-74b5-5e3c-8fb3-8a7232a7a537')).toBe(
      '9c12bc95-b3b2-5b1d-901f-ec1cdb25ca24',
    );
  });
});
