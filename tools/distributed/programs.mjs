// The programs of the processes of the distributed topology.
import { CHAIN_SERVICES } from '@laurel/ports/topology';

/** Runs any areas of the chain. */
export const AREA_SERVICE = 'apps/area-service/dist/main.js';

const isChainService = (name) => CHAIN_SERVICES.some((service) => service.name === name);

/**
 * @param {string} name of a process kind, such as `points-service` or `query-gateway`
 * @returns {{ file: string, environment: Readonly<Record<string, string>> }} what to run, and what tells it which service it is
 */
export const programOf = (name) =>
  isChainService(name)
    ? { file: AREA_SERVICE, environment: { LAUREL_SERVICE: name } }
    : { file: `apps/${name}/dist/main.js`, environment: {} };
