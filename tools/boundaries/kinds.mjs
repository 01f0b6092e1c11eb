const CONTRACTS = ['pure', 'kernel', 'port', 'schema'];

/**
 * The layers: which kinds of projects each kind may import. `testing` is missing because only *.test.ts files may
 * import it.
 */
export const MAY_IMPORT = {
  pure: ['pure'],
  kernel: ['pure', 'kernel'],
  port: ['pure', 'kernel', 'port'],
  schema: CONTRACTS,
  engine: [...CONTRACTS, 'engine'],
  area: [...CONTRACTS, 'engine'],
  composition: [...CONTRACTS, 'engine', 'area', 'platform', 'composition'],
  platform: [...CONTRACTS, 'platform'],
  http: [...CONTRACTS, 'engine', 'platform'],
  tool: CONTRACTS,
  // For browsers: no imports from Node or Nest.
  ui: [...CONTRACTS, 'client', 'ui'],
  client: [...CONTRACTS, 'client'],
  testing: [...CONTRACTS, 'engine', 'area', 'composition', 'platform', 'http', 'tool', 'client', 'testing'],
  app: [...CONTRACTS, 'engine', 'area', 'composition', 'platform', 'http', 'tool', 'client'],
};

/**
 * The kind of each library, which its own package.json names too. A library that moves to another layer must change in
 * both places, and a new library without a tag cannot escape the rules. Apps have the kind `app` because of their
 * folder.
 */
export const LIBRARIES = {
  directory: 'engine',
  achievements: 'area',
  administration: 'http',
  'all-areas': 'composition',
  amounts: 'pure',
  calendar: 'pure',
  chain: 'composition',
  client: 'client',
  console: 'ui',
  configuration: 'engine',
  contributions: 'kernel',
  'console-server': 'http',
  corrections: 'composition',
  database: 'platform',
  'embedded-postgres': 'platform',
  erasures: 'composition',
  'event-store': 'engine',
  'event-stream': 'engine',
  explain: 'composition',
  exports: 'composition',
  gateways: 'composition',
  ingestion: 'http',
  kernel: 'kernel',
  leaderboards: 'area',
  openapi: 'platform',
  outgoing: 'engine',
  'partitioned-boards': 'composition',
  points: 'area',
  ports: 'port',
  processes: 'composition',
  profile: 'pure',
  engine: 'engine',
  queries: 'http',
  rebuild: 'composition',
  runtime: 'platform',
  schemas: 'schema',
  'stored-effects': 'composition',
  streaks: 'area',
  testing: 'testing',
  users: 'area',
  verify: 'composition',
  webhooks: 'http',
};

const kindTag = (kind) => `kind:${kind}`;

/** @param {readonly string[]} alsoAllowed kinds that every project may import in the files in question */
export const depConstraints = (alsoAllowed = []) =>
  Object.entries(MAY_IMPORT).map(([kind, allowed]) => ({
    sourceTag: kindTag(kind),
    onlyDependOnLibsWithTags: [...allowed, ...alsoAllowed].map(kindTag),
  }));

/** @param {string} root the project's folder, such as libs/kernel or libs/domain/points */
export function expectedTags(root) {
  const top = root.slice(0, root.indexOf('/'));
  const name = root.slice(root.lastIndexOf('/') + 1);
  const kind = { apps: 'app', tools: 'tool' }[top] ?? LIBRARIES[name];
  return kind === undefined ? null : [kindTag(kind), `scope:${name}`];
}
