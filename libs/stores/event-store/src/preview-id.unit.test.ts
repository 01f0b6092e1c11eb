import type { CorrectionRequest } from '@laurel/ports';
import { previewIdOf } from './preview-id.ts';

const RETRACT = { eventId: 'a', retract: true } as const;
const AMEND = { eventId: 'b', value: 1_500_000n } as const;
const request: CorrectionRequest = { corrections: [RETRACT, AMEND], achievements: 'recompute', finalRuns: 'keep' };
const latest = new Map([
  [7, 0],
  [3, 12],
]);
const id = previewIdOf('default', request, latest);

describe('previewIdOf', () => {
  it('ignores the order of events and users', () => {
    const turned = { ...request, corrections: [AMEND, RETRACT] };
    expect(previewIdOf('default', turned, new Map([...latest].reverse()))).toBe(id);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('returns another id for any other request, and after a correction of one of the users', () => {
    const others = [
      previewIdOf('other', request, latest),
      previewIdOf('default', { ...request, achievements: 'keep' }, latest),
      previewIdOf('default', { ...request, finalRuns: 'change' }, latest),
      previewIdOf('default', { ...request, corrections: [RETRACT] }, latest),
      previewIdOf('default', { ...request, corrections: [RETRACT, { ...AMEND, retract: true } as never] }, latest),
      previewIdOf('default', { ...request, corrections: [RETRACT, { ...AMEND, value: 1_500_001n }] }, latest),
      previewIdOf('default', { ...request, corrections: [RETRACT, { ...AMEND, occurredAt: 0 }] }, latest),
      previewIdOf('default', request, new Map([...latest, [7, 20]])),
    ];
    expect(new Set([id, ...others]).size).toBe(others.length + 1);
  });
});
