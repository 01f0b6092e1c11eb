import { z } from 'zod';
import { areaName, count, instant, logPosition, nullableText, whole } from './fields.ts';
import { named } from './named-object.ts';
import { PLACEHOLDER_IDS } from './placeholder-ids.ts';
import { rebuild } from './rebuild.ts';
import { storageStatus } from './storage-status.ts';
import { webhookStatus } from './webhooks.ts';

/** The routes below `/admin/v1` by which a service is run. All need the scope `admin`. */

/** How far an area has come, and why it stopped if it did. */
const areaStatus = named('AreaStatus', 'How far an area has come.', {
  area: areaName.meta({ description: 'The area.' }),
  position: logPosition.meta({ description: 'The area has applied every record up to here.' }),
  stateVersion: count.meta({ description: 'Version of the format in which its state is stored.' }),
  failure: nullableText.meta({ description: 'Why it is halted after this position; null while it runs.' }),
});
export type AreaStatus = z.infer<typeof areaStatus>;

const seconds = z.number().min(0);

/** Seconds, rounded to a tenth. */
export const stalledSeconds = (ms: number): number => Math.round(ms / 100) / 10;

const queued = {
  state: z.enum(['open', 'waiting', 'down', 'fenced', 'closed']).meta({
    description:
      '`open`: it records. `waiting`: the database cannot be reached, requests wait for it. `down`: they are refused at once. `fenced`: another process has taken over, for good. `closed`: the service is stopping.',
  }),
  waiting: count.meta({ description: 'Requests that have been accepted and not yet answered.' }),
};

/** The progress of a service of the distributed topology. */
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

/** A user whose stored state cannot be read. */
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
  head: logPosition.meta({ description: 'Position of the newest record of the log.' }),
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

/** The state of the queue, under its present and its former name. */
export const queueStatus = ({ stalledMs, ...queue }: ServiceStatus['lane']): Pick<ServiceStatus, 'queue' | 'lane'> => ({
  queue: { ...queue, stalledSeconds: stalledSeconds(stalledMs) },
  lane: { ...queue, stalledMs },
});

/** `GET /admin/v1/digest`. */
export const digest = named('Digest', 'Equal digests mean equal stored values, whatever the order of writing.', {
  position: logPosition.meta({ description: 'Position of the log when the tables were read.' }),
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
