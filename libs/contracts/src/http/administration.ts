import { z } from 'zod';
import { AREAS } from '../message.ts';
import { instant } from './fields.ts';
import { must, text } from './text.ts';

/** The routes below `/admin/v1` by which a service is run: what `laurel` asks of a running one. All need the scope `admin`. */

export const areaName = z.enum(AREAS).meta({ id: 'AreaName', description: 'An area, in the order of the chain.' });

const position = z.number().int().meta({ description: 'A position of the event log; 0 is before its first record.' });
const count = z.number().int().min(0);

/** How far an area has come, and why it stopped if it did. */
export const areaStatus = z
  .object({
    area: areaName,
    position: position.meta({ description: 'The area has applied every record up to here.' }),
    stateVersion: count.meta({ description: 'Version of the form in which its state is stored.' }),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why it has stopped behind this position; null while it runs.' }),
  })
  .meta({ id: 'AreaStatus' });

export const rebuild = z
  .object({
    id: z.uuid(),
    areas: z.array(areaName).meta({ description: 'The areas whose read models are written anew.' }),
    state: z.enum(['running', 'done', 'failed']),
    applied: position.meta({ description: 'How far the log has been applied again.' }),
    head: position.meta({ description: 'Where the log ended when last looked at.' }),
    startedAt: instant,
    finishedAt: instant.nullable(),
    error: z.string().nullable().meta({ description: 'Why it failed; the read models are then as they were.' }),
  })
  .meta({ id: 'Rebuild', description: 'The log applied again, from its first record on.' });
export type RebuildAnswer = z.infer<typeof rebuild>;

/** `POST /admin/v1/rebuilds`; 202. Without `areas`: all. One at a time. */
export const rebuildRequest = z
  .object(
    { areas: z.array(areaName, must('a list of areas')).min(1, must('a list of areas')).optional() },
    must('an object'),
  )
  .meta({ id: 'RebuildRequest', description: 'Without areas: all of them.' });
export type RebuildRequest = z.infer<typeof rebuildRequest>;

/** `GET /admin/v1/status`. */
export const serviceStatus = z
  .object({
    version: z.string().meta({ description: 'Of the release.' }),
    ready: z.boolean().meta({ description: 'As `/readyz` says it.' }),
    now: instant,
    clock: z.string().nullable().meta({ description: 'Says so if LAUREL_CLOCK is on.' }),
    tzDataVersion: z.string().meta({ description: 'Release of the time zone database in use.' }),
    configurationVersion: count,
    head: position.meta({ description: 'Position of the newest record of the log.' }),
    importOpen: z.boolean().meta({ description: 'While an import is open nothing is swept.' }),
    lane: z
      .object({
        state: z.enum(['open', 'waiting', 'down', 'fenced', 'closed']),
        waiting: count.meta({ description: 'Requests taken in and not yet answered.' }),
        stalledMs: count.meta({ description: 'How long they have waited without any being answered.' }),
      })
      .meta({ id: 'LaneStatus', description: 'The one lane through which everything is recorded.' }),
    areas: z.array(areaStatus),
    rebuild: rebuild.nullable().meta({ description: 'The latest since the start of the process.' }),
  })
  .meta({ id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof serviceStatus>;

/** `GET /admin/v1/digest`. */
export const digest = z
  .object({
    position: position.meta({ description: 'Of the log when the tables were read.' }),
    tzDataVersion: z
      .string()
      .meta({ description: 'Digests compare only under one release of the time zone database.' }),
    lines: z.array(
      z
        .object({
          name: z.string().meta({ description: 'An area, or `rank history`.' }),
          rows: count,
          digest: z.string().meta({ description: 'Of all stored values, hexadecimal.' }),
        })
        .meta({ id: 'DigestLine' }),
    ),
  })
  .meta({ id: 'Digest', description: 'Equal digests: equal stored values, whatever the order of writing.' });
export type DigestAnswer = z.infer<typeof digest>;

/** `GET /admin/v1/configurations`: newest last. */
export const configurationVersion = z
  .object({
    version: z.number().int().min(1),
    publishedAt: instant,
    current: z.boolean(),
    metrics: count,
    achievements: count,
    pointsSystems: count,
    leaderboards: count,
    streak: z.boolean(),
  })
  .meta({ id: 'ConfigurationVersion' });
export type ConfigurationVersionAnswer = z.infer<typeof configurationVersion>;

/** `GET /admin/v1/configurations/{version}` (a number or `current`). */
export const publishedConfiguration = z
  .object({
    version: z.number().int().min(1),
    publishedAt: instant,
    document: z.unknown().meta({ description: 'The document as it was published.' }),
  })
  .meta({ id: 'PublishedConfiguration' });
export type PublishedConfigurationAnswer = z.infer<typeof publishedConfiguration>;

/** `POST /admin/v1/configurations/plan` (200) and `POST /admin/v1/configurations` (201; 200 if it is in force already). */
export const configurationRequest = z
  .object(
    { document: z.unknown().meta({ description: 'A whole configuration document, as JSON.' }) },
    must('an object'),
  )
  .meta({ id: 'ConfigurationRequest' });

/** One thing that a new version adds, removes or changes. */
export const plannedChange = z
  .object({
    kind: z.enum(['added', 'removed', 'changed']),
    path: z
      .string()
      .meta({ description: 'What it is about, such as `points.xp.triggers.daily` or `leaderboards.weekly.end`.' }),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
    effect: z.string().meta({ description: 'What it means for users and their numbers, in a plain sentence.' }),
  })
  .meta({ id: 'PlannedChange' });

export const configurationPlan = z
  .object({
    current: z.number().int().nullable().meta({ description: 'The version in force; null: none yet.' }),
    next: z.number().int().meta({ description: 'The number that it would be published under.' }),
    changes: z.array(plannedChange).meta({ description: 'None: the document is in force already.' }),
  })
  .meta({ id: 'ConfigurationPlan' });
export type ConfigurationPlanAnswer = z.infer<typeof configurationPlan>;

const scope = z.enum(['ingest', 'read', 'admin']).meta({ id: 'Scope', description: 'What a key may be used for.' });

/** `POST /admin/v1/keys`. */
export const newKeyRequest = z
  .object(
    {
      label: text(1, 255).meta({ description: 'Whose key it is, for people.' }),
      scopes: z.array(scope, must('a list of scopes')).min(1, must('a list of scopes')),
      expiresAt: instant.nullable().optional().meta({ description: 'From then on the key is refused; absent: never.' }),
      requestsPerMinute: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .nullable()
        .optional()
        .meta({ description: 'Requests that the key may make in a minute; absent: no limit.' }),
    },
    must('an object'),
  )
  .meta({ id: 'NewKeyRequest' });
export type NewKeyRequest = z.infer<typeof newKeyRequest>;

/** An element of `GET /admin/v1/keys`, and the answer of `DELETE /admin/v1/keys/{id}`. */
export const apiKey = z
  .object({
    id: z.uuid(),
    label: z.string(),
    scopes: z.array(scope),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    requestsPerMinute: z.number().int().nullable(),
  })
  .meta({ id: 'ApiKey', description: 'What is kept of a key: never the key itself.' });
export type ApiKeyAnswer = z.infer<typeof apiKey>;

/** The answer of `POST /admin/v1/keys`, 201. */
export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key: shown in this answer and never again.' }) })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyAnswer = z.infer<typeof newApiKey>;
