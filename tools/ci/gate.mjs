/**
 * What runs with every change of a suite that runs whole at night. Each list has what most changes could break; what only changes of one
 * place could break, or what another suite covers in a shorter form, waits for the night. A run of everything takes 78 minutes on two
 * cores, and who waits so long for an answer starts something else.
 */
export const GATE = {
  /**
   * Beginnings of files. The whole HTTP suite through all processes, kills of each of them, what runs behind, several areas in one
   * process, the contract of the Kafka adapter. At night: EventStoreDB as the log and as the source of outcomes (their adapters have
   * contract tests in `npm test`), outages and rebalances of Kafka, several instances, rebuilds (the gate rebuilds the history), the
   * command `npm run distributed`, live events, webhooks through all processes.
   */
  distributed: [
    'apps/ingestion-gateway/src/http-suite.distributed.test.ts',
    'apps/ingestion-gateway/src/crashes.distributed.test.ts',
    'apps/ingestion-gateway/src/services-behind.distributed.test.ts',
    'apps/ingestion-gateway/src/fused.distributed.test.ts',
    'libs/stores/event-stream/src/kafka/kafka-event-stream.kafka.test.ts',
  ],
  /** Every page with and without data in both colour schemes, each journey, the keyboard; signing in; a path of its own. At night: details of single pages. */
  console: [
    'apps/standalone/src/console.browser.test.ts',
    'apps/standalone/src/console-sign-in.browser.test.ts',
    'apps/standalone/src/public-path.browser.test.ts',
  ],
  /** The quickstart. At night: all. */
  documents: ['README.md'],
  /** During an import. At night: 100. */
  kills: 4,
};
