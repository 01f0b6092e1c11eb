import { subjectOf } from '@laurel/testing/subjects';
import type { UserCommand, CorrectionRecorded, RecordMetricEvent } from '@laurel/kernel';
import { commandBytes, correctionBytes } from './command-bytes.ts';
import { encodeExact } from '../folding/message-codec.ts';

const EVENT: RecordMetricEvent = {
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf('ada'),
  metric: 'commits',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: null,
  occurredAt: null,
};
const text = 'ä'.repeat(5_000);

describe('commandBytes', () => {
  const fields: readonly Partial<RecordMetricEvent>[] = [
    { attributes: new Map([[text, text]]) },
    { user: { name: text } },
    { user: { email: text } },
    { user: { deviceTokens: [text, text] } },
    { user: { attributes: new Map([[text, null]]) } },
    { user: { attributes: new Map([[text, text]]) } },
  ];

  it('is close to the length of the encoded command, whichever field is long', () => {
    for (const field of [{}, ...fields]) {
      const command = { ...EVENT, ...field };
      const encoded = Buffer.byteLength(encodeExact(command));
      expect(Math.abs(commandBytes(command) - encoded)).toBeLessThan(200);
    }
  });

  it('includes the user fields of identifications and completions', () => {
    const named = { account: 'default', subject: subjectOf('ada'), user: { name: text } };
    const commands: readonly UserCommand[] = [
      { type: 'IdentifyUser', ...named },
      { type: 'CompleteAchievement', achievement: 'profile', ...named },
    ];
    for (const command of commands) expect(commandBytes(command)).toBeGreaterThan(10_000);
  });
});

describe('correctionBytes', () => {
  it('grows with the corrected events and the reason', () => {
    const correction: CorrectionRecorded = {
      ...{ type: 'CorrectionRecorded', subject: subjectOf('ada'), achievements: 'recompute', finalRuns: 'keep' },
      ...{ corrections: [], preview: 'p', keyHash: null, reason: text },
    };
    const corrections = Array.from({ length: 1_000 }, (_, position) => ({
      ...{
        position,
        eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
        value: 1_000_000n,
        occurredAt: 1_700_000_000_000,
      },
    }));
    for (const one of [correction, { ...correction, corrections }]) {
      const encoded = Buffer.byteLength(encodeExact(one));
      expect(correctionBytes(one)).toBeGreaterThan(encoded * 0.9);
      expect(correctionBytes(one)).toBeLessThan(encoded * 1.5);
    }
  });
});
