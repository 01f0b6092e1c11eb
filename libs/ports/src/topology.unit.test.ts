import { AREAS } from '@laurel/kernel';
import { CHAIN_SERVICES, GATEWAYS, PROCESSES, TOPICS, USER_SERVICES } from './topology.ts';

describe('the distributed topology', () => {
  it('applies every area once, in the order of the chain', () => {
    expect(CHAIN_SERVICES.flatMap(({ areas }) => areas)).toEqual(AREAS);
  });

  it('feeds each service from the one before it, and the first from the ingestion gateway', () => {
    const [ingestion, query] = GATEWAYS;
    expect(CHAIN_SERVICES.map(({ input }) => input)).toEqual([
      ingestion.output,
      ...CHAIN_SERVICES.slice(0, -1).map(({ output }) => output),
    ]);
    expect(CHAIN_SERVICES.at(-1)?.output).toBeNull();
    expect(query.input).toBe(TOPICS.effects);
  });

  it('has a reader for every topic', () => {
    expect(new Set([...CHAIN_SERVICES, ...GATEWAYS].flatMap(({ input }) => input ?? []))).toEqual(
      new Set(Object.values(TOPICS)),
    );
  });

  it('gives every process a name and a schema of its own', () => {
    const processes = PROCESSES;
    expect(new Set(processes.map(({ name }) => name)).size).toBe(processes.length);
    expect(new Set(processes.map(({ schema }) => schema)).size).toBe(processes.length);
  });

  it('has the leaderboards after all user services', () => {
    expect(USER_SERVICES.map(({ name }) => name)).toEqual(['streak-service', 'achievement-service', 'points-service']);
  });
});
