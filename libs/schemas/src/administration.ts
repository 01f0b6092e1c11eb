import { z } from 'zod';
import { AREAS } from '@laurel/kernel';
import { PLACEHOLDER_IDS } from './placeholder-ids.ts';
import { SCOPES } from './scopes.ts';
import { actor, reason } from './attribution.ts';
import { count, instant, nullableText, whole } from './fields.ts';
import { storageStatus } from './storage-status.ts';
import { must, mustBeOneOf, text } from './text.ts';
import { webhookStatus } from './webhooks.ts';
import { named, namedBody, namedStrictBody } from './named-object.ts';

/** The routes below `/admin/v1` by which a service is run: what `laurel` asks of a running one. All need the scope `admin`. */

const areaName = z.enum(AREAS).meta({ id: 'AreaName', description: 'An area, in the order of the chain.' });

const position = whole.meta({ description: 'A position of the event log; 0 is before its first record.' });

/** How far an area has come, and why it stopped if it did. */
const areaStatus = named('AreaStatus', 'How far an area has come.', {
  area: areaName.meta({ description: 'The area.' }),
  position: position.meta({ description: 'The area has applied every record up to here.' }),
  stateVersion: count.meta({ description: 'Version of the format in which its state is stored.' }),
  failure: nullableText.meta({ description: 'Why it is halted after this position; null while it runs.' }),
});
export type AreaStatus = z.infer<typeof areaStatus>;

const seconds = z.number().min(0);

/** To a tenth. */
export const stalledSeconds = (ms: number): number => Math.round(ms / 100) / 10;

const queued = {
  state: z.enum(['open', 'waiting', 'down', 'fenced', 'closed']).meta({
    description:
      '`open`: it records. `waiting`: the database cannot be reached, requests wait for it. `down`: they are refused at once. `fenced`: another process has taken over, for good. `closed`: the service is stopping.',
  }),
  waiting: count.meta({ description: 'Requests that have been accepted and not yet answered.' }),
};

/** A service of the distributed topology. */
const chainServiceStatus = named('ChainServiceStatus', 'How far a service of the distributed topology has come.', {
  service: z.string().meta({ description: 'Its name.', examples: ['points-service'] }),
  members: count.meta({ description: 'Running instances in its consumer group; 0: no instance does its work.' }),
  behind: count
    .nullable()
    .meta({ description: 'Messages of its input that it has not applied yet; null: unknown at present.' }),
  stalledMs: count.meta({
    description:
      'Milliseconds for which a partition of its input has had messages without any progress; 0: no partition is stalled.',
  }),
  stalledSeconds: seconds.meta({
    description: '`stalledMs` in seconds. Use this: `stalledMs` ends with the next release.',
  }),
  stopped: z
    .array(
      named('StoppedPartition', 'A partition that is halted until the cause is fixed.', {
        partition: count.meta({ description: 'The partition of its input.' }),
        offset: count.meta({ description: 'Offset of the message that it could not apply.' }),
        reason: z.string().meta({ description: 'Why.' }),
      }),
    )
    .meta({ description: 'The halted partitions; the others keep running.' }),
});
export type ChainServiceStatus = z.infer<typeof chainServiceStatus>;

/** A user of whom the stored state cannot be read. */
const damagedUser = named(
  'DamagedUser',
  'A user whose stored state cannot be read. Their events are refused with `state_damaged`.',
  {
    account: z.string().meta({ description: 'The account.' }),
    userId: z.string().meta({ description: 'The user.', examples: ['ada'] }),
    area: areaName.nullable().meta({ description: 'The area whose state it is; null: the whole row cannot be read.' }),
    reason: z.string().meta({ description: 'What went wrong when it was read.' }),
    repair: z.string().meta({ description: 'The command that repairs it.', examples: ['laurel rebuild points'] }),
  },
);
export type DamagedUser = z.infer<typeof damagedUser>;

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
  applied: position.meta({ description: 'The position up to which the log has been applied again.' }),
  head: position.meta({ description: 'The last known end of the log.' }),
  startedAt: instant.meta({ description: 'When it began.' }),
  finishedAt: instant.nullable().meta({ description: 'When it ended; null while it runs.' }),
  error: nullableText.meta({ description: 'Why it failed; the read models are then as they were.' }),
});
export type RebuildAnswer = z.infer<typeof rebuild>;

/** `POST /admin/v1/rebuilds`; 202. Without `areas`: all. One at a time. */
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
/** `GET /admin/v1/status`. */
export const serviceStatus = named('ServiceStatus', 'The state of the service.', {
  version: z.string().meta({ description: 'Version of the release.', examples: ['0.1.0'] }),
  ready: z.boolean().meta({
    description: 'Whether `/readyz` answers 200 and there are no `problems`.',
  }),
  now: instant.meta({ description: 'The service’s current time.' }),
  clock: nullableText.meta({ description: 'A note if LAUREL_CLOCK is set, else null.' }),
  tzDataVersion: z.string().meta({ description: 'Release of the time zone database in use.' }),
  configurationVersion: whole.min(1).meta({ description: 'The configuration version in force.' }),
  heldBackConfiguration: named(
    'HeldBackConfiguration',
    'A configuration file that a start did not publish on its own.',
    {
      reasons: z.array(z.string()).meta({ description: 'What its plan would do.', examples: [['removes metrics']] }),
      changes: count.meta({ description: 'Number of changes in its plan; the service’s log lists them.' }),
    },
  )
    .optional()
    .meta({ description: 'Only while the file of LAUREL_CONFIG waits for `laurel config publish --accept`.' }),
  unusedDataFolder: z
    .string()
    .optional()
    .meta({
      description:
        'Only while `demo` in the data folder holds another database, of release 0.1, which is not used: its path.',
      examples: ['/var/lib/laurel/demo'],
    }),
  head: position.meta({ description: 'Position of the newest record of the log.' }),
  importOpen: z.boolean().meta({ description: 'Whether an import is open. Nothing is swept while it is.' }),
  queue: named('QueueStatus', 'The single-writer queue: everything is recorded through it.', {
    ...queued,
    stalledSeconds: seconds.meta({ description: 'Seconds for which they have waited without any answer.' }),
  }),
  lane: named('LaneStatus', 'The former name of `queue`, which ends with the next release.', {
    ...queued,
    stalledMs: count.meta({ description: 'Milliseconds for which they have waited without any answer.' }),
  }),
  areas: z.array(areaStatus).meta({ description: 'Every area, in the order of the chain.' }),
  damagedUsers: count.optional().meta({
    description: 'Users of whom the stored state was found damaged. Only of a service that is one process.',
  }),
  damaged: z
    .array(damagedUser)
    .optional()
    .meta({ description: 'Those found last, at most 20. Only of a service that is one process.' }),
  placeholderUsers: count.optional().meta({
    description: `Users whose id is ${PLACEHOLDER_IDS.map((id) => `\`${id}\``).join(', ')}: a client probably sends it for people whose id it does not know. Absent while this cannot be read.`,
    examples: [0],
  }),
  webhooks: z.array(webhookStatus).optional().meta({
    description:
      'Each webhook, and how far behind it is. Absent where no process sends webhooks, and while this cannot be read.',
  }),
  storage: storageStatus.optional().meta({ description: 'Absent while the database cannot be read.' }),
  rebuild: rebuild.nullable().meta({ description: 'The latest rebuild since the process started; null: none.' }),
  services: z
    .array(chainServiceStatus)
    .optional()
    .meta({ description: 'Only in the distributed topology: the services, in the order of the chain.' }),
  queryGateways: count
    .optional()
    .meta({ description: 'Only in the distributed topology: running query gateways that gather answers.' }),
  problems: z.array(z.string()).optional().meta({
    description:
      'What keeps events from being applied or answered, or soon may, and what has failed in the background for five minutes, a sentence each. Empty: nothing.',
  }),
});
export type ServiceStatus = z.infer<typeof serviceStatus>;

/** The queue under its name and under its former one. */
export const queueStatus = ({ stalledMs, ...queue }: ServiceStatus['lane']): Pick<ServiceStatus, 'queue' | 'lane'> => ({
  queue: { ...queue, stalledSeconds: stalledSeconds(stalledMs) },
  lane: { ...queue, stalledMs },
});

/** `GET /admin/v1/digest`. */
export const digest = named('Digest', 'Equal digests mean equal stored values, whatever the order of writing.', {
  position: position.meta({ description: 'Position of the log when the tables were read.' }),
  tzDataVersion: z
    .string()
    .meta({ description: 'Release of the time zone database. Compare only digests of the same release.' }),
  lines: z
    .array(
      named('DigestLine', 'The hash of an area.', {
        name: z.string().meta({ description: 'An area, or `rank history`.', examples: ['points'] }),
        rows: count.meta({ description: 'Number of stored rows.' }),
        digest: z.string().meta({ description: 'Hash of everything that it has stored, in hexadecimal.' }),
      }),
    )
    .meta({ description: 'A line for each area, and one for the history of ranks.' }),
});
export type DigestAnswer = z.infer<typeof digest>;

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

export const scope = z
  .enum(SCOPES, mustBeOneOf(SCOPES))
  .meta({ id: 'Scope', description: 'What a key may be used for.' });

const WHAT_LIMIT = 'a whole number from 1 to 1000000';
const WHAT_EXPIRY = 'an ISO 8601 instant in UTC, like 2026-01-31T12:00:00Z';

/**
 * `POST /admin/v1/keys`. A field that is not known is refused, unlike elsewhere: a misspelt bound would make a key without one.
 */
export const newKeyRequest = namedStrictBody('NewKeyRequest', 'The key to create. Unknown fields are refused.', {
  label: text(1, 255).meta({ description: 'A label for the key, such as the name of the backend that uses it.' }),
  scopes: z
    .array(scope, must('a list of scopes'))
    .min(1, must('a list of scopes'))
    .meta({ description: 'The scopes that it grants.', examples: [['ingest', 'read']] }),
  expiresAt: z.iso
    .datetime(must(WHAT_EXPIRY))
    .nullable()
    .optional()
    .meta({ description: 'When the key expires; must be in the future. Absent: never.' }),
  requestsPerMinute: z
    .number(must(WHAT_LIMIT))
    .int(must(WHAT_LIMIT))
    .min(1, must(WHAT_LIMIT))
    .max(1_000_000, must(WHAT_LIMIT))
    .nullable()
    .optional()
    .meta({ description: 'Requests per minute that the key may make; absent: no limit.' }),
  reason,
});
export type NewKeyRequest = z.infer<typeof newKeyRequest>;

/** The query of `DELETE /admin/v1/keys/{id}`. */
export const revokeKeyQuery = z.object({ reason });

/** An element of `GET /admin/v1/keys`, and the answer of `DELETE /admin/v1/keys/{id}`. */
export const apiKey = named('ApiKey', 'An API key, without the key itself.', {
  id: z.uuid().meta({ description: 'The id, by which the key is revoked.' }),
  label: z.string().meta({
    description: 'A label for the key, such as the name of the backend that uses it.',
    examples: ['web backend'],
  }),
  scopes: z.array(scope).meta({ description: 'The scopes that it grants.' }),
  createdAt: instant.meta({ description: 'When it was created.' }),
  createdBy: actor,
  expiresAt: instant.nullable().meta({ description: 'When the key expires; null: never.' }),
  revokedAt: instant.nullable().meta({ description: 'When the key was revoked; null: it is not revoked.' }),
  revokedBy: actor,
  requestsPerMinute: whole
    .nullable()
    .meta({ description: 'Requests per minute that the key may make; null: no limit.' }),
});
export type ApiKeyAnswer = z.infer<typeof apiKey>;

/** The answer of `POST /admin/v1/keys`, 201. */
export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key: shown in this answer and never again.' }) })
  .meta({ id: 'CreatedApiKey', description: 'A newly created API key.' });
export type NewApiKeyAnswer = z.infer<typeof newApiKey>;
