import { describeLiveFeed, startTestTopology, type Topology } from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';

let topology: Topology;
let running: Topology | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    instances: { 'ingestion-gateway': 2 },
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
});
afterAll(async () => {
  await running?.stop();
});

describeLiveFeed(() => topology);
