import { z } from 'zod';
import { actor, reason } from './attribution.ts';
import { count, instant, nullableText, whole } from './fields.ts';
import { named, namedBody } from './named-object.ts';
import { must } from './text.ts';

const published = {
  publishedBy: actor,
  reason: nullableText.meta({ description: 'The reason given for the publication; null: none.' }),
};

/** `GET /admin/v1/configurations`: newest last. */
export const configurationVersion = named(
  'ConfigurationVersion',
  'Summary of a published version of the configuration.',
  {
    version: whole.min(1).meta({ description: 'Its number.' }),
    publishedAt: instant.meta({ description: 'When it was published.' }),
    ...published,
    current: z.boolean().meta({ description: 'Whether this version is in force.' }),
    metrics: count.meta({ description: 'Number of metrics.' }),
    achievements: count.meta({ description: 'Number of achievements.' }),
    pointsSystems: count.meta({ description: 'Number of points systems.' }),
    leaderboards: count.meta({ description: 'Number of leaderboards.' }),
    streak: z.boolean().meta({ description: 'Whether it configures a streak.' }),
  },
);
export type ConfigurationVersionAnswer = z.infer<typeof configurationVersion>;

/** `GET /admin/v1/configurations/{version}` (a number or `current`). */
export const publishedConfiguration = named('PublishedConfiguration', 'A published version of the configuration.', {
  version: whole.min(1).meta({ description: 'Its number.' }),
  publishedAt: instant.meta({ description: 'When it was published.' }),
  ...published,
  document: z.unknown().meta({ description: 'The document, with every default filled in.' }),
  text: nullableText.meta({
    description:
      'The document as it was written, comments and order included; null: it was published as `document`, or by a release before 0.2.',
  }),
});
export type PublishedConfigurationAnswer = z.infer<typeof publishedConfiguration>;

/** `POST /admin/v1/configurations/plan` (200) and `POST /admin/v1/configurations` (201; 200 if it is in force already). */
export const configurationRequest = namedBody('ConfigurationRequest', 'A configuration to plan or to publish.', {
  document: z
    .unknown()
    .optional()
    .meta({ description: 'A whole configuration document, as JSON. Required unless `text` is sent.' }),
  text: z
    .string(must('text'))
    .nullish()
    .meta({
      description:
        'Instead of `document`: the whole document as YAML or JSON, up to 1 MiB. It is kept with the version and shown as written. If the document is in force already, the text replaces the one shown, and nothing is published.',
      examples: ['# Our study app\nversion: 1\nmetrics:\n  - { key: lessons, name: Lessons finished }\n'],
    }),
  accept: z.boolean().optional().meta({
    description:
      'Only to publish. true: the document is also recorded as the file last published from, so that a start with it in LAUREL_CONFIG finds it unchanged.',
  }),
  plan: z
    .string(must('the id of a plan'))
    .nullish()
    .meta({
      description:
        'Only to publish: the `id` of the plan of this document. The document is then published only if what is in force is still what it was planned against.',
      examples: ['9b1c7e0d4f5a62838796a5b4c3d2e1f0'],
    }),
  reason,
});

/** One thing that a new version adds, removes or changes. */
const plannedChange = named('PlannedChange', 'One thing that a new version adds, removes or changes.', {
  kind: z.enum(['added', 'removed', 'changed']).meta({ description: 'The kind of change.' }),
  path: z
    .string()
    .meta({ description: 'The path that changes, such as `points.xp.triggers.daily` or `leaderboards.weekly.end`.' }),
  before: z.unknown().optional().meta({ description: 'Its value in the version in force; absent if it is added.' }),
  after: z.unknown().optional().meta({ description: 'Its value in the new document; absent if it is removed.' }),
  effect: z.string().meta({ description: 'What it means for users and their numbers, in a plain sentence.' }),
});

export const configurationPlan = named('ConfigurationPlan', 'What publishing a document would change.', {
  id: z.string().meta({
    description: 'Name it as `plan` to publish the document only if what is in force is still the same.',
    examples: ['9b1c7e0d4f5a62838796a5b4c3d2e1f0'],
  }),
  current: whole.nullable().meta({ description: 'The version in force; null: none yet.' }),
  next: whole.meta({ description: 'The number that the new version would get.' }),
  changes: z.array(plannedChange).meta({ description: 'The changes. Empty: the document is already in force.' }),
});
export type ConfigurationPlanAnswer = z.infer<typeof configurationPlan>;
