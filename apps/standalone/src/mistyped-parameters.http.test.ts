import { OPERATIONS, type Operation, type ProblemItem } from '@laurel/schemas';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { askOf } from './testing/ask.ts';
import { serveOnFreshDatabase, TEST_KEY, type Served } from './testing/serve-in-process.ts';

/** Valid values for paths, so that the route parses its query. */
const KEYS: Readonly<Record<string, string>> = {
  metrics: 'lessons',
  points: 'xp',
  leaderboards: 'lessons-all',
  achievements: 'first-lesson',
  levels: 'bronze',
  users: 'ada',
};

const inPath = ({ path }: Operation): string =>
  path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, before: string) => `${before}/${KEYS[before] ?? 'unknown'}`);

/** The wrong spellings of a name: in another case and, if it is long enough, without a letter. */
const misspelled = (name: string): readonly string[] => [
  name.charAt(0).toUpperCase() + name.slice(1),
  ...(name.length >= 5 ? [name.slice(0, 2) + name.slice(3)] : []),
];

const QUERIES = OPERATIONS.filter(({ scope }) => scope !== null).flatMap((operation) =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => misspelled(name).map((wrong) => ({ operation, name, wrong }))),
);

describe('a mistyped query parameter', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveOnFreshDatabase(HTTP_SUITE_CONFIGURATION);
    const { status } = await askOf(() => served)('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 1 });
    expect(status).toBe(201);
  });
  afterAll(async () => {
    await served.close();
  });

  const ask = async (operation: Operation, query: string) => {
    const method = operation.method.toUpperCase();
    const withBody = operation.body && { body: '[]', headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${served.baseUrl}${inPath(operation)}?${query}`, {
      method,
      ...withBody,
      headers: { 'x-api-key': TEST_KEY, ...withBody?.headers },
    });
    const { errors = [] } = (await answer.json()) as { readonly errors?: readonly ProblemItem[] };
    return { status: answer.status, errors };
  };

  it('is tested on more than 100 parameters', () => {
    expect(QUERIES.length).toBeGreaterThan(100);
  });

  it.each(QUERIES.map(({ operation, name, wrong }) => [operation.id, wrong, name] as const))(
    'of %s is refused: %s is unknown, with a hint to %s',
    async (id, wrong, name) => {
      const operation = OPERATIONS.find((each) => each.id === id) as Operation;
      const { status, errors } = await ask(operation, `${wrong}=1`);
      expect(status).toBe(422);
      const message = errors.find(({ path }) => path === wrong)?.message ?? 'is not refused';
      // `start_date` and `startDate` are both known.
      expect(message.replaceAll('_', '').toLowerCase()).toBe(
        `is unknown: use ${name}`.replaceAll('_', '').toLowerCase(),
      );
    },
  );
});
