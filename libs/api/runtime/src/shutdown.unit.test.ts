import { createLogger } from './logging.ts';
import { Shutdown, type StoppableProcess } from './shutdown.ts';

const silent = createLogger('silent');

function fakeProcess() {
  const listeners = new Map<string, () => void>();
  const exits: number[] = [];
  let exited: () => void = () => undefined;
  const afterExit = new Promise<void>((resolve) => (exited = resolve));
  const process: StoppableProcess = {
    on: (signal, listener) => listeners.set(signal, listener),
    exit: (code) => {
      exits.push(code);
      exited();
    },
  };
  return { process, exits, afterExit, send: (signal: string) => listeners.get(signal)?.() };
}

describe('a graceful stop', () => {
  it('stops tasks one by one, the last started first', async () => {
    const order: string[] = [];
    const shutdown = new Shutdown(silent);
    shutdown.register('database', () => void order.push('database'));
    shutdown.register('server', async () => {
      order.push('server begins');
      await Promise.resolve();
      order.push('server ends');
    });
    expect(await shutdown.stop()).toBe(true);
    expect(order).toEqual(['server begins', 'server ends', 'database']);
  });

  it('continues after a task that fails and reports the failure', async () => {
    const order: string[] = [];
    const shutdown = new Shutdown(silent);
    shutdown.register('database', () => void order.push('database'));
    shutdown.register('server', () => Promise.reject(new Error('stuck')));
    expect(await shutdown.stop()).toBe(false);
    expect(order).toEqual(['database']);
  });

  it('runs each task once, however often it is called', async () => {
    let runs = 0;
    const shutdown = new Shutdown(silent);
    shutdown.register('server', () => void (runs += 1));
    await Promise.all([shutdown.stop(), shutdown.stop()]);
    expect(runs).toBe(1);
  });

  it('starts at a signal and exits with 0', async () => {
    const { process, exits, afterExit, send } = fakeProcess();
    new Shutdown(silent).listen(process);
    send('SIGTERM');
    await afterExit;
    expect(exits).toEqual([0]);
  });

  it('exits with 1 when a task failed', async () => {
    const { process, exits, afterExit, send } = fakeProcess();
    const shutdown = new Shutdown(silent);
    shutdown.register('server', () => Promise.reject(new Error('stuck')));
    shutdown.listen(process);
    send('SIGINT');
    await afterExit;
    expect(exits).toEqual([1]);
  });

  it('exits at once at a second signal', () => {
    const { process, exits, send } = fakeProcess();
    const shutdown = new Shutdown(silent);
    shutdown.register('server', () => new Promise(() => undefined));
    shutdown.listen(process);
    send('SIGTERM');
    expect(exits).toEqual([]);
    send('SIGINT');
    expect(exits).toEqual([1]);
  });
});
