import { HTTP_SUITE_CONFIGURATION, describeHttpSuite } from '@laurel/testing';
import { startTestTopology, type Topology } from './testing/topology.ts';

let topology: Topology;

beforeAll(async () => {
  topology = await startTestTopology({ configuration: HTTP_SUITE_CONFIGURATION });
});

afterAll(async () => {
  await topology.stop();
});

describeHttpSuite(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));
