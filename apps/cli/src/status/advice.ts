import type { ServiceStatus } from '@laurel/schemas';
import { damagedPart } from '@laurel/kernel/damaged-state';
import { describeLowSpace } from '@laurel/ports/disk-space';
import { describePlaceholderUsers } from '@laurel/schemas/placeholder-ids';
import { plainText } from '../plain-text.ts';

/** The queue counts as stuck if no command is answered for this long while commands wait. */
const STALLED_S = 5;

/** Why the service records nothing, or not in time, and the remedy. */
export function queueProblems({ queue }: ServiceStatus): string[] {
  switch (queue.state) {
    case 'open':
      return queue.stalledSeconds < STALLED_S
        ? []
        : ['Requests wait and none is answered: look at the log of the service and at the load of its database.'];
    case 'waiting':
      return [
        'The database cannot be reached; requests wait for it. Look at the database: the service goes on by itself.',
      ];
    case 'down':
      return [
        'The database cannot be reached; requests are refused (503). Look at the database: the service goes on by itself.',
      ];
    case 'fenced':
      return ['Another process writes to this database now: stop one of the two.'];
    case 'closed':
      return ['The service is stopping.'];
  }
}

/** The problems that the service itself names. */
export const problemLines = ({ problems = [] }: ServiceStatus): string[] =>
  problems.map((problem) => plainText(problem));

/** Why the file of LAUREL_CONFIG is not in force, and the remedy. */
export function configurationAdvice({ heldBackConfiguration: held }: ServiceStatus): string[] {
  if (held === undefined) return [];
  return [
    `The file of LAUREL_CONFIG was not published: its plan ${held.reasons.map((reason) => plainText(reason)).join(', ')}.`,
    'See its changes with `laurel config plan FILE`; `laurel config publish --accept FILE` applies them.',
  ];
}

/** A warning if the data folder holds a second database. */
export const dataFolderAdvice = ({ unusedDataFolder: folder }: ServiceStatus): string[] =>
  folder === undefined
    ? []
    : [
        `${plainText(folder)} holds another database, of release 0.1, which is not used. Set LAUREL_DATA_DIR to that folder to see what it holds, or remove it.`,
      ];

/** A warning if the disk fills up. */
export function storageAdvice({ storage }: ServiceStatus): string[] {
  if (storage === undefined) return [];
  const { low, freeBytes, totalBytes } = storage;
  return low && freeBytes !== null && totalBytes !== null ? [describeLowSpace({ freeBytes, totalBytes })] : [];
}

/** A warning about user ids that probably stand for several people. */
export const placeholderAdvice = ({ placeholderUsers = 0 }: ServiceStatus): string[] =>
  placeholderUsers === 0 ? [] : [describePlaceholderUsers(placeholderUsers)];

/** Disabled webhooks, and the remedy. */
export const webhookAdvice = ({ webhooks = [] }: ServiceStatus): string[] => [
  ...webhooks
    .filter(({ state }) => state === 'disabled')
    .map(
      ({ id, url, disabledBecause }) =>
        `Webhook ${plainText(id)} (${plainText(url)}) is disabled: ${plainText(disabledBecause ?? '')}. Outcomes wait for it until: laurel webhooks enable ${plainText(id)}`,
    ),
  ...webhooks.flatMap(({ id, url, warnings }) =>
    warnings.map((warning) => `Webhook ${plainText(id)} (${plainText(url)}): ${plainText(warning)}.`),
  ),
];

/** Why areas are halted, and the remedy. */
export function areaAdvice({ areas, services }: ServiceStatus): string[] {
  if (services !== undefined) return partitionAdvice(services);
  const stopped = areas.filter(({ failure }) => failure !== null);
  if (stopped.length === 0) return [];
  const [first] = stopped;
  return [
    ...stopped.map(
      ({ area, position, failure }) => `${area} is halted after position ${position}: ${plainText(failure ?? '')}`,
    ),
    'Events are recorded all the same and wait for it. Once the cause is mended (the log of the service has all of it),',
    `a start of the service lets it catch up; if what is stored is damaged: laurel rebuild ${areasFrom(areas, first?.area)}`,
  ];
}

/** A halted area is rebuilt with all later areas, which have not seen its parked events. */
const areasFrom = (areas: ServiceStatus['areas'], first: string | undefined): string =>
  areas
    .slice(areas.findIndex(({ area }) => area === first))
    .map(({ area }) => area)
    .join(' ');

/** Users whose stored state is damaged, and the remedy. */
export function damageAdvice({ damaged = [], damagedUsers = 0 }: ServiceStatus): string[] {
  const more = damagedUsers - damaged.length;
  return [
    ...damaged.map(
      ({ account, userId, area, reason, repair }) =>
        `The stored ${damagedPart({ area })} of user ${plainText(JSON.stringify(userId))} of account ${plainText(account)} is damaged (${plainText(reason)}); run: ${plainText(repair)}`,
    ),
    ...(more > 0 ? [`Damaged users that are not listed: ${more}.`] : []),
  ];
}

/** The remedy for halted services of the distributed topology; `problems` names their partitions. */
function partitionAdvice(services: NonNullable<ServiceStatus['services']>): string[] {
  if (services.every(({ stopped }) => stopped.length === 0)) return [];
  return [
    'Events are recorded all the same and wait for it; other partitions go on, and it is tried again every few seconds.',
    'Mend the cause (the log of the service has all of it) and start a release that can apply the message. If messages are',
    'missing, or one is none of Laurel: run `resend` of the service that writes the topic. If what is stored is damaged: `rebuild`.',
  ];
}
