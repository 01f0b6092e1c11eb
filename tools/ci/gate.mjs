/**
 * The parts of long suites that run with every change; at night the suites run whole. The lists contain the files that
 * most changes can break. A file runs only at night if only changes in one place can break it, or if a shorter check of
 * the same behaviour runs with every change.
 */
export const GATE = {
  /**
   * The whole HTTP suite through all processes, kills of each process, answers while a service is stopped, several areas in one process,
   * and the contract of the Kafka adapter. At night also: EventStoreDB as the log and for outcomes (`npm test` has the contract tests of
   * its adapters), outages and rebalances of Kafka, several instances, rebuilds (the job `history` rebuilds the recorded history),
   * `npm run distributed`, live events, and webhooks.
   */
  distributed: [
    'apps/ingestion-gateway/src/http-suite.distributed.test.ts',
    'apps/ingestion-gateway/src/crashes.distributed.test.ts',
    'apps/ingestion-gateway/src/services-behind.distributed.test.ts',
    'apps/ingestion-gateway/src/fused.distributed.test.ts',
    'libs/stores/event-stream/src/kafka/kafka-event-stream.kafka.test.ts',
  ],
  /**
   * Every page with and without data in both colour schemes, each journey, the keyboard, signing in, and a public path. At night also: the
   * details of single pages.
   */
  console: [
    'apps/standalone/src/console.browser.test.ts',
    'apps/standalone/src/console-sign-in.browser.test.ts',
    'apps/standalone/src/public-path.browser.test.ts',
  ],
  /** What a newcomer follows first. At night: all documents. */
  documents: ['README.md', 'docs/guides/tour.md'],
  /** Kills during an import. At night: 100. */
  kills: 4,
};
