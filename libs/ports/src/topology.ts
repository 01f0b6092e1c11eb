import { AREAS, type AreaName } from '@laurel/kernel/areas';

/**
 * The topics, in the order of the chain. Each is partitioned by user, but `points`, which is partitioned by leaderboard. The topics of
 * 0.1 have no number: their messages name users by ids, and nothing reads them any more.
 */
export const TOPICS = {
  log: 'laurel.2.log',
  streaks: 'laurel.2.streaks',
  achievements: 'laurel.2.achievements',
  points: 'laurel.2.points',
  effects: 'laurel.2.effects',
} as const;

export type TopicName = (typeof TOPICS)[keyof typeof TOPICS];

/** The topic for everybody: its messages are outcomes, and it is versioned by the `ce_type` of each. Partitioned by user. */
export const OUTCOMES_TOPIC = 'laurel.outcomes';

interface Service {
  readonly name: string;
  readonly areas: readonly AreaName[];
  readonly input: TopicName;
  readonly output: TopicName | null;
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

/** A service of the chain: applies its areas to its input, and passes it on with what they made of it. */
export interface ChainServiceEntry {
  /** Of its Deployment and its image; its consumer group is `laurel.NAME`. */
  readonly name: ChainServiceName;
  /** In the order in which they are applied. */
  readonly areas: readonly AreaName[];
  readonly input: TopicName;
  /** The input of the next service; null: the end of the chain. */
  readonly output: TopicName | null;
  /** Holds its checkpoints and the read models of its areas. Every process may read it, and only the service writes to it. */
  readonly schema: ChainServiceSchema;
}

/**
 * The chain of the distributed topology, front to back. Topics, schemas, checkpoints, progress and due dates are derived from this
 * table; manifests and the documented tables are checked against it.
 */
export const CHAIN_SERVICES: readonly ChainServiceEntry[] = SERVICES;

/** The processes at both ends of the chain: one appends events and answers them, the other gathers effects and answers reads. */
export const GATEWAYS = [
  { name: 'ingestion-gateway', input: null, output: TOPICS.log, schema: 'laurel_ingestion' },
  { name: 'query-gateway', input: TOPICS.effects, output: null, schema: 'laurel_query' },
] as const;

export type GatewayName = (typeof GATEWAYS)[number]['name'];

/** The process beside the chain: reads what the services have stored, and tells others of it. */
export const OUTGOING_SERVICE = {
  name: 'outgoing-service',
  output: OUTCOMES_TOPIC,
  schema: 'laurel_outgoing',
} as const;

export type OutgoingServiceName = (typeof OUTGOING_SERVICE)['name'];

/** Every kind of process: images, Deployments and compose services are made of them. */
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
  if (found === undefined) throw new Error(`no process alone writes the topic ${topic}`);
  return found.name;
}

/** The services whose areas belong to a user, front to back: a user is in the same partition of each of their inputs. */
export const USER_SERVICES: readonly ChainServiceEntry[] = CHAIN_SERVICES.filter(
  (service) => service !== serviceOf('leaderboards'),
);

/**
 * Adjacent services of the chain whose areas one process applies to a message, one after the other: no topic lies between them, and
 * what they write is committed together. Their tables stay where they are.
 */
export interface Step {
  /** Of its consumer group, which is `laurel.NAME`, and in status: that of its only service, else `FIRST-to-LAST` of its areas. */
  readonly name: string;
  readonly services: readonly ChainServiceEntry[];
  /** In the order in which they are applied. */
  readonly areas: readonly AreaName[];
  readonly input: TopicName;
  /** The input of the next step; null: the end of the chain. */
  readonly output: TopicName | null;
}

/** @param services adjacent, front to back */
export function stepOf(services: readonly ChainServiceEntry[]): Step {
  const [first, last] = [services[0], services.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a step applies at least one area');
  const areas = services.flatMap((service) => service.areas);
  const name = services.length === 1 ? first.name : `${areas[0]}-to-${areas.at(-1)}`;
  return { name, services, areas, input: first.input, output: last.output };
}

/** The areas of a step as they are written in LAUREL_STEPS. */
export const stepText = ({ areas }: Pick<Step, 'areas'>): string => areas.join(',');

/**
 * The steps of a process that applies these areas: those of a user in one, and leaderboards in one of their own, because a board has
 * another partition than its users.
 * @throws RangeError unless they are adjacent areas in the order of the chain, and all of each service
 */
export function stepsOf(areas: readonly string[]): readonly Step[] {
  const first = AREAS.findIndex((area) => area === areas[0]);
  if (first < 0 || areas.some((area, index) => area !== AREAS[first + index]))
    throw new RangeError(`must be areas that follow each other, of ${AREAS.join(',')}`);
  const services = CHAIN_SERVICES.filter((service) => service.areas.some((area) => areas.includes(area)));
  const divided = services.find((service) => !service.areas.every((area) => areas.includes(area)));
  if (divided !== undefined)
    throw new RangeError(`must have all or none of ${divided.areas.join(',')}: they share their tables`);
  const [ofUsers, ofBoards] = [
    services.filter(({ output }) => output !== null),
    services.filter(({ output }) => output === null),
  ];
  return [ofUsers, ofBoards].filter(({ length }) => length > 0).map(stepOf);
}

/** The step that has this name, of all that there can be. */
export const stepNamed = (name: string): Step | undefined =>
  CHAIN_SERVICES.flatMap((_, first) =>
    CHAIN_SERVICES.slice(first).map((__, more) => stepOf(CHAIN_SERVICES.slice(first, first + more + 1))),
  ).find((step) => step.name === name);
