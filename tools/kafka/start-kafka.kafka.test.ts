import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PLACE = new URL('./start-kafka.mjs', import.meta.url).href;

/** A process that starts a broker, says where, and waits to be killed. */
const PROGRAM = `
  const { startKafka } = await import(${JSON.stringify(PLACE)});
  const { brokers, pid } = await startKafka({ dataDir: process.env.DATA_DIR, removeData: true });
  console.log(JSON.stringify({ brokers, pid }));
  setInterval(() => undefined, 1_000);
`;

interface Started {
  readonly brokers: readonly string[];
  readonly pid: number | null;
}

describe('a broker started by a program', () => {
  it('ends with the program, however that ends, and its temporary data is deleted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'start-kafka-'));
    const { program, started } = await run({ DATA_DIR: dataDir, LAUREL_KAFKA_BROKERS: '' });
    const [broker = ''] = started.brokers;
    expect(await accepts(broker)).toBe(true);
    program.kill('SIGKILL');
    await until(async () => !(await accepts(broker)) && !existsSync(dataDir));
  });

  it('does not exist when LAUREL_KAFKA_BROKERS names brokers', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'start-kafka-'));
    const { program, started } = await run({ DATA_DIR: dataDir, LAUREL_KAFKA_BROKERS: 'one:9092, two:9092' });
    expect(started).toEqual({ brokers: ['one:9092', 'two:9092'], pid: null });
    program.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });
});

async function run(environment: Readonly<Record<string, string>>) {
  const program = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    program.stdout.once('data', (data) => resolve(String(data)));
    program.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { program, started: JSON.parse(line) as Started };
}

function accepts(broker: string): Promise<boolean> {
  const [host = '', port] = broker.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host, () => done(true)).once('error', () => done(false));
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
