import type { ChainServiceStatus, RebuildAnswer, ServiceStatus, WebhookStatus } from '@laurel/schemas';
import { inBytes } from '@laurel/ports/disk-space';
import { plainText } from '../plain-text.ts';
import { columns, table } from '../terminal/table.ts';
import {
  areaAdvice,
  configurationAdvice,
  dataFolderAdvice,
  damageAdvice,
  placeholderAdvice,
  queueProblems,
  problemLines,
  storageAdvice,
  webhookAdvice,
} from './advice.ts';
import { shareOf } from './rebuild-share.ts';

/** A shorter stall is not shown, because a batch may take a few seconds. */
const SHOWN_STALLED_S = 10;

/** The status of a service for people, as lines that are safe for a terminal. */
export function statusReport(status: ServiceStatus): string[] {
  return [
    `Laurel ${plainText(status.version)} is ${status.ready ? 'ready' : 'NOT ready'}`,
    ...indented(columns(facts(status))),
    '',
    ...table(['area', 'position', 'behind', 'state'], areaRows(status)),
    ...serviceTable(status),
    ...webhookTable(status),
    ...advice(status),
  ];
}

function facts(status: ServiceStatus) {
  const { now, clock, tzDataVersion, configurationVersion, head, queue, importOpen, rebuild, storage } = status;
  return [
    ['now', plainText(now)],
    ...(clock === null ? [] : [['clock', plainText(clock)]]),
    ['time zones', plainText(tzDataVersion)],
    ['configuration', `version ${configurationVersion}`],
    ['log', `position ${head}`],
    ['queue', queueText(queue)],
    ['import', importOpen ? 'open: until it is finished, nothing is swept' : 'none open'],
    ['rebuild', rebuild === null ? 'none since the start' : rebuildText(rebuild)],
    ...(storage === undefined ? [] : storageRows(storage)),
  ];
}

const queueText = ({ state, waiting, stalledSeconds }: ServiceStatus['queue']): string =>
  `${state}, ${waiting} waiting${stalledSeconds >= 1 ? ` for ${Math.floor(stalledSeconds)}s without an answer` : ''}`;

function rebuildText(rebuild: RebuildAnswer): string {
  const { state, areas, startedAt, finishedAt, error } = rebuild;
  const which = areas.join(', ');
  switch (state) {
    case 'running':
      return `under way, ${Math.floor(shareOf(rebuild) * 100)}% (${which}; since ${plainText(startedAt)})`;
    case 'done':
      return `done (${which}; ${plainText(finishedAt ?? '')})`;
    case 'failed':
      return `failed, nothing was changed (${which}): ${plainText(error ?? 'no reason was given')}`;
  }
}

const areaRows = ({ areas, head }: ServiceStatus): string[][] =>
  areas.map(({ area, position, failure }) => [
    area,
    String(position),
    String(Math.max(0, head - position)),
    failure === null ? 'running' : 'STOPPED',
  ]);

function serviceTable({ services }: ServiceStatus): string[] {
  if (services === undefined) return [];
  const rows = services.map((service) => [
    plainText(service.service),
    String(service.members),
    service.behind === null ? 'unknown' : String(service.behind),
    serviceState(service),
  ]);
  return ['', ...table(['service', 'members', 'messages behind', 'state'], rows)];
}

function webhookTable({ webhooks = [] }: ServiceStatus): string[] {
  if (webhooks.length === 0) return [];
  const rows = webhooks.map(({ id, behind, unfinished, heldBack, abandoned, oldestAt, ...webhook }) => [
    ...[plainText(id), String(behind), String(unfinished), String(heldBack), String(abandoned)],
    ...[plainText(oldestAt ?? 'none'), webhookState(webhook)],
  ]);
  const header = ['webhook', 'behind', 'unfinished', 'held back', 'given up', 'oldest that waits', 'state'];
  return ['', ...table(header, rows)];
}

function webhookState({ state, failingSince }: Pick<WebhookStatus, 'state' | 'failingSince'>): string {
  if (state === 'disabled') return 'DISABLED';
  return failingSince === null ? 'enabled' : `failing since ${plainText(failingSince)}`;
}

function serviceState({ members, stalledSeconds, stopped }: ChainServiceStatus): string {
  if (stopped.length > 0) return `STOPPED in ${stopped.map(({ partition }) => partition).join(', ')}`;
  if (members === 0) return 'NO MEMBERS';
  return stalledSeconds < SHOWN_STALLED_S ? 'running' : `no progress for ${Math.floor(stalledSeconds)}s`;
}

function advice(status: ServiceStatus): string[] {
  const lines = [...queueProblems(status), ...problemLines(status), ...areaAdvice(status), ...damageAdvice(status)];
  if (lines.length === 0 && !status.ready) lines.push('GET /readyz and the log of the service name what is not ready.');
  lines.push(
    ...configurationAdvice(status),
    ...dataFolderAdvice(status),
    ...storageAdvice(status),
    ...placeholderAdvice(status),
    ...webhookAdvice(status),
  );
  return lines.length === 0 ? [] : ['', ...lines];
}

type Storage = NonNullable<ServiceStatus['storage']>;

function storageRows(storage: Storage): [string, string][] {
  const { databaseBytes, walBytes, freeBytes, totalBytes, unknown } = storage;
  const space =
    freeBytes === null || totalBytes === null ? null : `${inBytes(freeBytes)} of ${inBytes(totalBytes)} free`;
  return [
    ['database', `${inBytes(databaseBytes)} (${databaseSizes(storage).join(', ')})`],
    ['WAL', walBytes === null ? unknownText(unknown.walBytes) : inBytes(walBytes)],
    ['disk', space ?? unknownText(unknown.freeBytes)],
    ...growthRows(storage),
  ];
}

const databaseSizes = ({ logBytes, readModelBytes, indexBytes, unknown }: Storage): string[] => [
  `log ${logBytes === null ? unknownText(unknown.logBytes) : inBytes(logBytes)}`,
  `read models ${inBytes(readModelBytes)}`,
  `indexes ${inBytes(indexBytes)}`,
];

const unknownText = (reason = 'no reason was given'): string => `unknown: ${plainText(reason)}`;

function growthRows({ bytesPerEvent, eventsUntilFull }: Storage): [string, string][] {
  if (bytesPerEvent === null) return [];
  const { log, readModels, indexes } = bytesPerEvent;
  const room = eventsUntilFull === null ? '' : `; room for about ${roundedDown(eventsUntilFull)} more events`;
  const parts = `log ${inBytes(log)}, read models ${inBytes(readModels)}, indexes ${inBytes(indexes)}`;
  return [['per event', `${inBytes(log + readModels + indexes)} (${parts})${room}`]];
}

/** Rounded to two digits, because it is a forecast. */
function roundedDown(events: number): string {
  const step = 10 ** Math.max(0, String(events).length - 2);
  return (Math.floor(events / step) * step).toLocaleString('en-US');
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
