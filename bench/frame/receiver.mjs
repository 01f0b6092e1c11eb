import { createServer } from 'node:http';
import { median } from './surroundings.mjs';

/** A receiver of webhooks: below `/answers` it answers at once, below `/hangs` never. */
export async function startReceiver() {
  let began = 0;
  let last = 0;
  let lags = [];
  let mostHanging = 0;
  const hanging = new Set();
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/hangs') {
        hanging.add(response);
        response.on('close', () => hanging.delete(response));
        mostHanging = Math.max(mostHanging, hanging.size);
        return;
      }
      response.end();
      last = performance.now();
      lags.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(parts).toString()).timestamp));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    urlOf: (name) => `http://127.0.0.1:${server.address().port}/${name}`,
    begin() {
      [began, last, lags, mostHanging] = [performance.now(), performance.now(), [], 0];
    },
    /** Since `begin`. `lag`: the median of ms from what happened to its arrival; `mostHanging`: requests at a time. */
    seen: () => ({ seconds: (last - began) / 1_000, lag: median(lags), count: lags.length, mostHanging }),
    /** Answers those that hang. */
    release() {
      for (const response of hanging) response.end();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
