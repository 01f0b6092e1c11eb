import { AREAS, type AreaName } from '@laurel/kernel/areas';

/**
 * The topics, in the order of the chain. `points` is partitioned by leaderboard, the others by user. The topics of release 0.1 have no
 * number: their messages name users by ids, and nothing reads them any more.
 */
export const TOPICS = {
  log: 'laurel.2.log',
  streaks: 'laurel.2.streaks',
  achievements: 'laurel.2.achievements',
  points: 'laurel.2.points',
  effects: 'laurel.2.effects',
} as const;

type TopicName = (typeof TOPICS)[keyof typeof TOPICS];

/** The public topic: its messages are outcomes, each versioned by its `ce_type`. Partitioned by user. */
export const OUTCOMES_TOPIC = 'laurel.outcomes';

interface Service {
  /** The name of its Deployment and its image. Its consumer group is `laurel.NAME`. */
  readonly name: string;
  /** The areas in the order in which they are applied. */
  readonly areas: readonly AreaName[];
  readonly input: TopicName;
  /** The input of the next service, or null at the end of the chain. */
  readonly output: TopicName | null;
  /**
   * The schema with its checkpoints and the read models of its areas. Every process may read it; only the service
   * writes to it.
   */
  readonly schema: string;
}

const SERVICES = [
  {
    name: 'streak-service',
    areas: ['users', 'streaks'],
    input: TOPICS.log,
    output: TOPICS.streaks,
    schema: 'laurel_streak',
  },
  {
    name: 'achievement-service',
    areas: ['achievements'],
    input: TOPICS.streaks,
    output: TOPICS.achievements,
    schema: 'laurel_achievement',
  },
  {
    name: 'points-service',
    areas: ['points'],
    input: TOPICS.achievements,
    output: TOPICS.points,
    schema: 'laurel_points',
  },
  {
    name: 'leaderboard-service',
    areas: ['leaderboards'],
    input: TOPICS.points,
    output: null,
    schema: 'laurel_leaderboard',
  },
] as const satisfies readonly Service[];

export type ChainServiceName = (typeof SERVICES)[number]['name'];
export type ChainServiceSchema = (typeof SERVICES)[number]['schema'];

/** A service of the chain: applies its areas to its input, and passes it on together with the result. */
export interface ChainServiceEntry extends Service {
  readonly name: ChainServiceName;
  readonly schema: ChainServiceSchema;
}

/**
 * The chain of the distributed topology, front to back. Topics, schemas, checkpoints, progress and due dates are derived from this
 * table; manifests and the documented tables are checked against it.
 */
export const CHAIN_SERVICES: readonly ChainServiceEntry[] = SERVICES;

/**
 * The processes at both ends of the chain: one appends and answers events, the other gathers effects and answers reads.
 */
export const GATEWAYS = [
  { name: 'ingestion-gateway', input: null, output: TOPICS.log, schema: 'laurel_ingestion' },
  { name: 'query-gateway', input: TOPICS.effects, output: null, schema: 'laurel_query' },
] as const;

export type GatewayName = (typeof GATEWAYS)[number]['name'];

/** The process beside the chain: reads what the services have stored, and sends notifications about it. */
export const OUTGOING_SERVICE = {
  name: 'outgoing-service',
  output: OUTCOMES_TOPIC,
  schema: 'laurel_outgoing',
} as const;

export type OutgoingServiceName = (typeof OUTGOING_SERVICE)['name'];

/** Every kind of process; each has an image, a Deployment and a compose service. */
export const PROCESSES: readonly { readonly name: string; readonly schema: string }[] = [
  ...GATEWAYS,
  ...CHAIN_SERVICES,
  OUTGOING_SERVICE,
];

/** The service that applies an area. */
export function serviceOf(area: AreaName): ChainServiceEntry {
  const found = CHAIN_SERVICES.find(({ areas }) => areas.includes(area));
  if (found === undefined) throw new Error(`no service applies the area ${area}`);
  return found;
}

/** The process that writes a topic of the chain. */
export function writerOf(topic: string): string {
  const found = [...CHAIN_SERVICES, ...GATEWAYS].find(({ output }) => output === topic);
  if (found === undefined) throw new Error(`the topic ${topic} has no single writer`);
  return found.name;
}

/** The services whose areas belong to a user, front to back: a user is in the same partition of each of their inputs. */
export const USER_SERVICES: readonly ChainServiceEntry[] = CHAIN_SERVICES.filter(
  (service) => service !== serviceOf('leaderboards'),
);

/**
 * Adjacent services of the chain whose areas one process applies to a message, one after the other. There is no topic
 * between them, and their results are committed together. Their tables stay in their schemas.
 */
export interface ChainStep {
  /**
   * The name of its only service, or `FIRST-to-LAST` of its areas. Its consumer group is `laurel.NAME`; the status
   * shows this name.
   */
  readonly name: string;
  readonly services: readonly ChainServiceEntry[];
  /** The areas in the order in which they are applied. */
  readonly areas: readonly AreaName[];
  readonly input: TopicName;
  /** The input of the next step, or null at the end of the chain. */
  readonly output: TopicName | null;
}

/** @param services adjacent ones, front to back */
export function stepOf(services: readonly ChainServiceEntry[]): ChainStep {
  const [first, last] = [services[0], services.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a step applies at least one area');
  const areas = services.flatMap((service) => service.areas);
  const name = services.length === 1 ? first.name : `${areas[0]}-to-${areas.at(-1)}`;
  return { name, services, areas, input: first.input, output: last.output };
}

/** The areas of a step in the notation of LAUREL_STEPS. */
export const stepText = ({ areas }: Pick<ChainStep, 'areas'>): string => areas.join(',');

/**
 * The steps of a process that applies these areas: one for the areas of users, and one for leaderboards, because a
 * board is in another partition than its users.
 * @throws RangeError unless the areas are adjacent in the chain, and include all or none of each service's areas
 */
export function stepsOf(areas: readonly string[]): readonly ChainStep[] {
  const first = AREAS.findIndex((area) => area === areas[0]);
  if (first < 0 || areas.some((area, index) => area !== AREAS[first + index]))
    throw new RangeError(`must be areas that follow each other, of ${AREAS.join(',')}`);
  const services = CHAIN_SERVICES.filter((service) => service.areas.some((area) => areas.includes(area)));
  const divided = services.find((service) => !service.areas.every((area) => areas.includes(area)));
  if (divided !== undefined)
    throw new RangeError(`must have all or none of ${divided.areas.join(',')}: they share their tables`);
  const ofUsers = services.filter((service) => USER_SERVICES.includes(service));
  const ofBoards = services.filter((service) => !USER_SERVICES.includes(service));
  return [ofUsers, ofBoards].filter(({ length }) => length > 0).map(stepOf);
}

/** The step with this name, among all possible ones. */
export const stepNamed = (name: string): ChainStep | undefined =>
  CHAIN_SERVICES.flatMap((_, first) =>
    CHAIN_SERVICES.slice(first).map((__, more) => stepOf(CHAIN_SERVICES.slice(first, first + more + 1))),
  ).find((step) => step.name === name);
