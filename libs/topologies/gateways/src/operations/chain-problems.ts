import type { DeletedMessages } from '@laurel/chain';
import { stepNamed, writerOf } from '@laurel/ports';
import type { ChainServiceStatus } from '@laurel/schemas';
import type { TopicCopies } from '@laurel/event-stream';

/** The state that is checked for problems. */
export interface ChainState {
  readonly relayStalledMs: number;
  readonly services: readonly ServiceState[];
  readonly queryGateways: number;
  readonly copies: readonly TopicCopies[];
}

export interface ServiceState extends ChainServiceStatus {
  readonly deleted: readonly DeletedMessages[];
}

/** Pending work without progress for this time is a problem. */
export const STALLED_AFTER_MS = 30_000;
/** The most partitions in a sentence. */
const MOST_LISTED = 10;

/** Sentences about everything that prevents events from being applied or answered, or soon may. */
export const problemsIn = ({ relayStalledMs, services, queryGateways, copies }: ChainState): readonly string[] => [
  ...copiesProblems(copies),
  ...relayProblems(relayStalledMs),
  ...services.flatMap((service) => [...stopProblems(service), ...deletionProblems(service), ...workProblems(service)]),
  ...gatewayProblems(queryGateways),
];

function copiesProblems(topics: readonly TopicCopies[]): readonly string[] {
  const lacking = topics.filter(({ copies, inSync }) => inSync < copies);
  if (lacking.length === 0) return [];
  const list = lacking.map(({ topic, copies, inSync }) => `${topic} ${inSync} of ${copies}`).join(', ');
  return [
    `Kafka lacks copies (in sync: ${list}): a broker is away or behind. ` +
      'Nothing is lost; events wait when less than min.insync.replicas are left.',
  ];
}

const relayProblems = (stalledMs: number): readonly string[] =>
  stalledMs < STALLED_AFTER_MS
    ? []
    : [`The log has not been published for ${seconds(stalledMs)}: no ingestion gateway leads, or the broker is away.`];

const stopProblems = ({ service, stopped }: ServiceState): readonly string[] =>
  stopped.map(
    ({ partition, offset, reason }) =>
      `${service} is halted in partition ${partition} of ${inputOf(service)} at offset ${offset}: ${reason}`,
  );

/** Deleted messages that were not applied block the service; applied ones prevent a rebuild. */
function deletionProblems({ service, deleted }: ServiceState): readonly string[] {
  const unread = deleted.filter(({ nextOffset, start }) => nextOffset < start);
  const remedy = `Set retention.ms and retention.bytes to -1, and run resend of ${writerOf(inputOf(service))}.`;
  if (unread.length > 0) {
    const list = listed(
      unread.map(
        ({ partition, nextOffset, start }) => `offsets ${nextOffset} to ${start - 1} of partition ${partition}`,
      ),
    );
    return [`Kafka has deleted messages of ${inputOf(service)} that ${service} had not applied: ${list}. ${remedy}`];
  }
  if (deleted.length === 0) return [];
  return [`Kafka has deleted messages of ${inputOf(service)}: ${service} could not be rebuilt. ${remedy}`];
}

function workProblems({ service, members, behind, stalledMs, stopped }: ServiceState): readonly string[] {
  const problems: string[] = [];
  if (members === 0) problems.push(`${service} has no members: no running instance works on its partitions.`);
  if (behind === null) problems.push(`How far ${service} is behind is unknown: the broker does not answer.`);
  if (stalledMs >= STALLED_AFTER_MS && stopped.length === 0)
    problems.push(`${service} is ${behind} messages behind and has made no progress for ${seconds(stalledMs)}.`);
  return problems;
}

const gatewayProblems = (queryGateways: number): readonly string[] =>
  queryGateways > 0 ? [] : ['query-gateway has no members: reads fail, and answers to events stay pending.'];

const inputOf = (name: string): string => stepNamed(name)?.input ?? '';

function listed(items: readonly string[]): string {
  const more = items.length - MOST_LISTED;
  return [...items.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const seconds = (ms: number): string => `${Math.floor(ms / 1_000)} s`;
