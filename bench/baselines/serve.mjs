// Serves one baseline: node bench/baselines/serve.mjs NAME OPTIONS, where OPTIONS is JSON:
// { port, dataDir, apiKey, descriptions, poolSize? }
import { httpFront } from './http-front.mjs';
import { openPlpgsqlCall } from './plpgsql-call.mjs';
import { openRedisScript } from './redis-script.mjs';
import { openSqlTransaction } from './sql-transaction.mjs';

const OPEN = {
  'sql-transaction': openSqlTransaction,
  'plpgsql-call': openPlpgsqlCall,
  'redis-always': (options) => openRedisScript({ ...options, appendfsync: 'always' }),
  'redis-everysec': (options) => openRedisScript({ ...options, appendfsync: 'everysec' }),
};

const [name, text] = process.argv.slice(2);
const options = JSON.parse(text);
const baseline = await OPEN[name](options);
const app = httpFront(baseline, options);
await app.listen({ port: options.port, host: '127.0.0.1' });

for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, async () => {
    await app.close();
    await baseline.close();
    process.exit(0);
  });
