import { z } from 'zod';
import { requiredReason } from './attribution.ts';
import { instant, uuid, whole } from './fields.ts';
import { flagOf } from './flag.ts';
import { must, text } from './text.ts';
import { named } from './named-object.ts';

const boards = z.enum(['remove', 'anonymous'], must('remove or anonymous'));

/** The query of `DELETE /admin/v1/users/{id}` (specification, section 10). */
export const eraseUserQuery = z.object({
  preview: z
    .string()
    .refine((given) => flagOf(given) !== undefined, must('true or false'))
    .transform(flagOf)
    .optional(),
  boards: boards.optional(),
  previewId: text(1, 100).optional(),
  reason: requiredReason.optional(),
});

const erasurePlace = named('ErasurePlace', 'A place that holds data of the user, and what happens to that data.', {
  place: z.string().meta({ description: 'The table; `laurel.outcomes` is the topic.', examples: ['events'] }),
  rows: whole.meta({ description: 'Number of its rows that concern the user.', examples: [12] }),
  becomes: z
    .enum([
      'deleted',
      'unreadable',
      'hashed',
      'cleared',
      'anonymous',
      'off_the_board',
      'counted_down',
      'compacted_away',
    ])
    .meta({
      description:
        '`deleted`: the row is gone. `unreadable`: its personal fields are sealed under the key that is destroyed. `hashed`: the attributes of such a row stay as keyed hashes, so that what they decided stays. `cleared`: the personal fields are taken out. `anonymous`: it stays under a number that leads to nobody. `off_the_board`: the value is 0, those below move up. `counted_down`: it counts one less. `compacted_away`: it gets a tombstone, and the topic drops both when it is compacted.',
    }),
});
export type ErasurePlace = z.infer<typeof erasurePlace>;

/** The answer of `DELETE /admin/v1/users/{id}`: a preview, or the certificate of what was done. */
export const erasure = named('Erasure', 'What erasing the user changes, or has changed.', {
  userId: z.string().meta({ description: 'The user. This answer is the last one that names them.', examples: ['ada'] }),
  erased: z.boolean().meta({ description: 'False in a preview, which changes nothing.' }),
  previewId: z.string().meta({
    description: 'The id of the preview, to be sent with the erasure. It is valid for this user and these `boards`.',
  }),
  boards: boards.meta({ description: 'What happens to the user’s places in runs that are not final.' }),
  eventId: uuid.nullable().meta({ description: 'The id of the recorded event; null in a preview.' }),
  at: instant.nullable().meta({ description: 'When it was recorded; null in a preview.' }),
  places: z.array(erasurePlace).meta({ description: 'Every place that holds data of the user.' }),
});
export type Erasure = z.infer<typeof erasure>;
