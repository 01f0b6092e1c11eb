import fc from 'fast-check';
import { PARTITIONS, type Entry } from './chain-routes.fixture.ts';
import { ChainWorld, SERVICES } from './chain-world.fixture.ts';

type Operation = (world: ChainWorld) => void | Promise<void>;

const entries = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(1, 3, 2, 4, 6).map((subject): Entry => ({ subject })) },
    { weight: 1, arbitrary: fc.constant<Entry>('publication') },
  ),
  { minLength: 1, maxLength: 20 },
);

const service = fc.nat(SERVICES - 1);
const partition = fc.nat(PARTITIONS - 1);
const member = fc.nat(1);
const seldom = fc.option(fc.nat(60), { freq: 6 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(service, partition, member, fc.integer({ min: 1, max: 12 }), seldom)
      .map((how) => (world: ChainWorld) => world.deliver(...how)),
  },
  // Most calls go well: faults 1 to 4 are those of the world.
  {
    weight: 40,
    arbitrary: fc.tuple(fc.nat(9), fc.nat(14)).map((how) => (world: ChainWorld) => world.calls.step(...how)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(service, partition, member).map((who) => (world: ChainWorld) => world.restart(...who)),
  },
  { weight: 1, arbitrary: fc.nat(20).map((from) => (world: ChainWorld) => world.relay(from)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 4 }).map((count) => (world: ChainWorld) => world.loseCommits(count)),
  },
  { weight: 1, arbitrary: fc.constant((world: ChainWorld) => world.arriveLate()) },
  { weight: 1, arbitrary: service.map((lost) => (world: ChainWorld) => world.loseTopic(lost)) },
  { weight: 1, arbitrary: fc.constant((world: ChainWorld) => world.poison.clear()) },
);

const program = fc.record({
  log: entries,
  poison: fc.array(fc.nat(20), { maxLength: 2 }),
  operations: fc.array(operation, { minLength: 40, maxLength: 160, size: 'max' }),
});

async function undisturbed(log: readonly Entry[]) {
  const world = new ChainWorld(log, []);
  await world.finish();
  expect(world.outcome().broken).toEqual([]);
  return world.outcome();
}

const law = fc.asyncProperty(program, async ({ log, poison, operations }) => {
  const world = new ChainWorld(log, poison);
  for (const operate of operations) await operate(world);
  await world.finish();
  expect(world.outcome()).toEqual(await undisturbed(log));
});

describe('a chain of services, with any faults', () => {
  it('ends in the same state as without faults: nothing lost, doubled or contradicted', async () => {
    await fc.assert(law, { numRuns: 300 });
  });
});
