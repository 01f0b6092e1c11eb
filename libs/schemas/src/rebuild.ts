import { z } from 'zod';
import { areaName, instant, logPosition, nullableText } from './fields.ts';
import { named, namedBody } from './named-object.ts';
import { must } from './text.ts';

const rebuildDifference = named(
  'RebuildDifference',
  'A difference between what is stored and what results from the log.',
  {
    table: z.string().meta({ description: 'The table that differs.', examples: ['points_months'] }),
    userId: nullableText.meta({
      description: 'The first user whose rows differ; null: a counter, or an unknown user.',
    }),
    stored: nullableText.meta({ description: 'The stored row, as JSON; null: there is none.' }),
    expected: nullableText.meta({ description: 'The row that results from the log, as JSON; null: there is none.' }),
  },
);
export type RebuildDifferenceAnswer = z.infer<typeof rebuildDifference>;

export const rebuild = named('Rebuild', 'The log applied again, from its first record on.', {
  id: z.uuid().meta({ description: 'The id, valid until the process ends.' }),
  areas: z.array(areaName).meta({ description: 'The areas whose read models are rebuilt.' }),
  state: z.enum(['running', 'done', 'failed']).meta({ description: 'The current state.' }),
  verify: z
    .boolean()
    .meta({ description: 'Whether the result is only compared with what is stored, and then discarded.' }),
  differences: z.array(rebuildDifference).max(40).meta({
    description:
      'With `verify`, once it is done: the differences found, one for each table, with the first user that differs. Empty: none.',
  }),
  applied: logPosition.meta({ description: 'The position up to which the log has been applied again.' }),
  head: logPosition.meta({ description: 'The last known end of the log.' }),
  startedAt: instant.meta({ description: 'When it began.' }),
  finishedAt: instant.nullable().meta({ description: 'When it ended; null while it runs.' }),
  error: nullableText.meta({ description: 'Why it failed; the read models are then as they were.' }),
});
export type RebuildAnswer = z.infer<typeof rebuild>;

/** `POST /admin/v1/rebuilds`; 202. Without `areas`, rebuilds all areas. Only one rebuild runs at a time. */
export const rebuildRequest = namedBody('RebuildRequest', 'What to rebuild.', {
  areas: z
    .array(areaName, must('a list of areas'))
    .min(1, must('a list of areas'))
    .optional()
    .meta({ description: 'The areas to rebuild; absent: all.' }),
  verify: z.boolean(must('true or false')).optional().meta({
    description: 'Whether to only compare the result with what is stored, and then discard it; absent: false.',
  }),
});
