import { v5 } from 'uuid';
import { firedAwardId } from './award-id.ts';

const AWARDS = 'c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d';

describe('the id of an award', () => {
  it('is a version 5 UUID of its event and trigger, for any text', () => {
    for (const trigger of ['daily', '__proto__', 'Zoë 🦊', '"', '10'])
      for (let event = 0; event < 40; event++)
        expect(firedAwardId(`event-${event}`, trigger, 'xp')).toBe(
          v5(JSON.stringify([`event-${event}`, trigger]), AWARDS),
        );
  });

  it('never changes, because clients store it', () => {
    expect(firedAwardId('01a1fd77-ca34-75e3-86b3-b3e170a5cb98', 'd009749e-74b5-5e3c-8fb3-8a7232a7a537', 'xp')).toBe(
      '9c12bc95-b3b2-5b1d-901f-ec1cdb25ca24',
    );
  });

  it('differs between the points systems of one correction', () => {
    expect(firedAwardId('e', 'correction', 'xp')).toBe(v5(JSON.stringify(['e', 'correction', 'xp']), AWARDS));
    expect(firedAwardId('e', 'correction', 'energy')).not.toBe(firedAwardId('e', 'correction', 'xp'));
  });
});
