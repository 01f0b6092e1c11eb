// Those who watch the live feed, in a process of their own, so that their CPU time is counted apart from what is measured.
// Started by `startWatchers`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';

const THIS_FILE = fileURLToPath(import.meta.url);

export function startWatchers() {
  const child = fork(THIS_FILE, ['--as-watchers'], { stdio: 'inherit' });
  const ask = async (order) => {
    child.send(order);
    const [answer] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [{ error: 'they have ended' }]),
    ]);
    if (answer.error !== undefined) throw new Error(`the watchers: ${answer.error}`);
    return answer;
  };
  return {
    /** Resolves when each of them has the feed. @param {{ url: string, apiKey: string, count: number }} order */
    watch: (order) => ask({ kind: 'watch', ...order }),
    /** They leave. @returns {Promise<{ messages: number }>} the fewest that one of them got */
    leave: () => ask({ kind: 'leave' }),
    close: () => child.disconnect(),
  };
}

if (process.argv[2] === '--as-watchers') {
  let watching = [];
  process.on('message', (order) => {
    const done = order.kind === 'watch' ? watch(order).then((all) => ((watching = all), {})) : leave(watching);
    done.then(
      (answer) => process.send(answer),
      (error) => process.send({ error: error.message }),
    );
  });
}

const watch = ({ url, apiKey, count }) => Promise.all(Array.from({ length: count }, () => one(url, apiKey)));

async function one(url, apiKey) {
  const request = get(`${url}/admin/v1/live`, { headers: { 'x-api-key': apiKey }, agent: false });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`the live feed answers ${response.statusCode}`);
  const watcher = { request, messages: 0, ended: false };
  response.setEncoding('latin1');
  response.on('data', (text) => (watcher.messages += text.split('event: events\n').length - 1));
  response.on('error', () => undefined);
  response.on('close', () => (watcher.ended = true));
  return watcher;
}

async function leave(watching) {
  const early = watching.filter(({ ended }) => ended).length;
  for (const { request } of watching) request.destroy();
  if (early > 0) throw new Error(`${early} were disconnected`);
  return { messages: Math.min(...watching.map(({ messages }) => messages)) };
}
