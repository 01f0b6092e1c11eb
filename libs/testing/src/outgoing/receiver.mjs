// A receiver of webhooks in a separate process: node receiver.mjs FOLDER PORT SEED
//
// It listens once a line comes over standard input: until then it is the one that takes over when the one before it ends.
//
// FOLDER/secrets.json has the secret of each path. Each request is a line of FOLDER/arrivals.ndjson before it is answered, so
// the test that kills this process knows which deliveries had arrived. By the seed it answers well or badly, hangs, cuts the connection, or ends.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';

const [folder, port, seed] = process.argv.slice(2);
const arrivals = join(folder, 'arrivals.ndjson');
/** The faults of one hundred first attempts; the others are answered with 204. */
const FAULTS = [
  { share: 4, answer: 'error' },
  { share: 3, answer: 'busy' },
  { share: 3, answer: 'moved' },
  { share: 4, answer: 'cut' },
  { share: 0.5, answer: 'hang' },
  { share: 0.5, answer: 'end' },
];
/** Limit of faults: a delivery has ten attempts, and those that reach no receiver count as well. */
const MOST_FAULTS = 3;

const attempts = new Map();
const attemptOf = (path, id) => {
  const attempt = (attempts.get(`${path} ${id}`) ?? 0) + 1;
  attempts.set(`${path} ${id}`, attempt);
  return attempt;
};
function readArrivals() {
  if (!existsSync(arrivals)) return;
  const bytes = readFileSync(arrivals);
  // The last write of a killed predecessor was never answered.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  truncateSync(arrivals, whole.length);
  for (const line of whole.toString('utf8').split('\n').slice(0, -1)) {
    const { path, id } = JSON.parse(line);
    attemptOf(path, id);
  }
}

function answerTo(path, id) {
  const attempt = attemptOf(path, id);
  if (attempt > MOST_FAULTS) return 'ok';
  let drawn = createHash('sha256').update(`${seed} ${path} ${id} ${attempt}`).digest().readUInt32BE() / 2 ** 32;
  for (const { share, answer } of FAULTS) if ((drawn -= share / 100) < 0) return answer;
  return 'ok';
}

/** The service's clock may differ from the system clock, so only the signature is checked, not its age. */
function isSigned(path, headers, body) {
  const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
  const { now } = Date;
  Date.now = () => Number(headers['webhook-timestamp']) * 1_000;
  try {
    new Webhook(secrets[path]).verify(body, headers);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('error', () => undefined);
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('utf8');
    const id = String(request.headers['webhook-id']);
    const path = request.url;
    const signed = isSigned(path, request.headers, body);
    const answer = answerTo(path, id);
    appendFileSync(arrivals, `${JSON.stringify({ path, id, signed, answer, body })}\n`);
    switch (answer) {
      case 'error':
        return response.writeHead(500).end('not today');
      case 'busy':
        return response.writeHead(429, { 'retry-after': '2' }).end();
      case 'moved':
        return response.writeHead(302, { location: `http://127.0.0.1:${port}/moved` }).end();
      case 'cut':
        return request.socket.destroy();
      case 'hang':
        return undefined;
      case 'end':
        return process.exit(0);
      default:
        return response.writeHead(204).end();
    }
  });
});
process.stdin.once('data', () => {
  readArrivals();
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
});
// The starting process may be killed.
process.stdin.on('end', () => process.exit(0));
process.stdout.write('ready\n');
