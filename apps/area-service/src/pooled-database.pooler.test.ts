import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openTestDatabase, startPgBouncer } from '@laurel/testing/database';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

it('an area service refuses transaction pooling with one line', async () => {
  const database = await openTestDatabase([]);
  const pooler = await startPgBouncer(database.connection, { pool_mode: 'transaction' });
  const service = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: '', LAUREL_PORT: '0', LAUREL_SERVICE: 'points-service', LAUREL_LOG_LEVEL: 'warn' },
      ...{ LAUREL_DATABASE_URL: pooler.url, LAUREL_KAFKA_BROKERS: '127.0.0.1:1' },
      LAUREL_INTERNAL_TOKEN: 'a token of 24 characters, or more',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  service.stderr.on('data', (chunk) => (printed += String(chunk)));
  const [code] = (await once(service, 'close')) as [number];
  await pooler.close();
  await database.close();
  expect(code).toBe(1);
  expect(printed.trim()).toMatch(/^the connection pooler at 127\.0\.0\.1:\d+\/\w+ uses transaction pooling, .*$/);
});
