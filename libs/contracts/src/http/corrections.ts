import { z } from 'zod';
import { instant, jsonNumber, uuid } from './fields.ts';

/** Corrected events that one answer shows of a correction. */
export const SHOWN_CORRECTED_EVENTS = 20;

/** A corrected event, as a recorded correction holds it. */
export const correctedEvent = z
  .object({
    eventId: uuid.meta({ description: 'The event that was corrected.' }),
    retract: z
      .literal(true)
      .optional()
      .meta({ description: 'It is as if it had never been; if it is a correction, what it corrected is as before.' }),
    value: jsonNumber.optional().meta({ description: 'The value that it has instead.', examples: [3] }),
    occurredAt: instant.optional().meta({ description: 'The instant that it has instead.' }),
  })
  .meta({ id: 'CorrectedEvent', description: 'What became of a corrected event.' });
export type CorrectedEventAnswer = z.infer<typeof correctedEvent>;

const howAchievements = z.enum(['recompute', 'keep']).meta({
  description:
    '`recompute`: completed achievements are those that the corrected events complete. `keep`: what was completed stays so.',
});
const howFinalRuns = z
  .enum(['keep', 'change'])
  .meta({ description: '`keep`: runs that are final stay as they are. `change`: they are corrected too.' });

/** A recorded correction, without who did it. */
export const recordedCorrection = z
  .object({
    count: z
      .number()
      .int()
      .min(1)
      .meta({ description: 'How many events of the user it corrects.', examples: [1] }),
    events: z
      .array(correctedEvent)
      .meta({ description: `The first ${SHOWN_CORRECTED_EVENTS} of them, in the order of the request.` }),
    achievements: howAchievements,
    finalRuns: howFinalRuns,
  })
  .meta({ id: 'RecordedCorrection', description: 'What a correction says of the events of one user.' });
export type RecordedCorrection = z.infer<typeof recordedCorrection>;
