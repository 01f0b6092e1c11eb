import { AREAS, type AreaName } from './area-names.ts';
import { CHAIN_SERVICES, type ChainServiceEntry, type TopicName } from './topology.ts';

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
