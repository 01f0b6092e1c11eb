import { startFakeEventStoreDb } from './fake-event-store-db.ts';

// Runs the fake in a separate process: prints its URL, and runs until a signal ends it.
//   node --conditions=@laurel/source --import typescript-loader.mjs fake-event-store-db-process.ts [PORT [FILE]]
const [port = '0', file = null] = process.argv.slice(2);
const fake = await startFakeEventStoreDb({ port: Number(port), file });
process.stdout.write(`${fake.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void fake.stop().then(() => process.exit()));
