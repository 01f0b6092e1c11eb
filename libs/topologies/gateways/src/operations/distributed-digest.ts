import { DIGESTED_AREAS } from '@laurel/all-areas';
import { AREAS, type AreaName, type ConfiguredNames } from '@laurel/kernel';
import { clientConfig, type ConnectionOptions } from '@laurel/database';
import { type Digest, digestOf } from '@laurel/engine';
import { schemaOf, SCHEMAS } from '@laurel/processes';

/** The published part of the log. It does not check whether the services have applied it. */
const SOURCE = {
  positionOf: `select position from ${SCHEMAS.ingestion}.relay_checkpoint`,
  directory: `${SCHEMAS.ingestion}.subjects`,
};

/** The digest of all services' read models, comparable with the digest of the standalone. */
export const distributedDigest = (
  server: ConnectionOptions,
  account: string,
  names: ConfiguredNames,
): Promise<Digest> =>
  digestOf(clientConfig(server), { account, areas: DIGESTED_AREAS.map(inItsSchema), names, source: SOURCE });

const inItsSchema = (area: (typeof DIGESTED_AREAS)[number]) => ({
  ...area,
  schema: schemaOf(isAreaName(area.name) ? area.name : 'leaderboards'),
});

const isAreaName = (name: string): name is AreaName => (AREAS as readonly string[]).includes(name);
