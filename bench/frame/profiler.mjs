// Loaded before a program (`node --import`): SIGUSR2 begins a CPU profile of its main thread, and the next one writes it to the
// file that BENCH_PROFILE_FILE names.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const SAMPLED_EVERY_US = 200;

if (isMainThread) {
  let session = null;
  process.on('SIGUSR2', () => {
    if (session === null) session = begin();
    else session = end(session);
  });
}

function begin() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_US });
  session.post('Profiler.start');
  return session;
}

function end(session) {
  const file = process.env.BENCH_PROFILE_FILE;
  session.post('Profiler.stop', (error, answer) => {
    if (error !== null) throw error;
    writeFileSync(`${file}.part`, JSON.stringify(answer.profile));
    // Renamed when it is complete, so that a reader never finds half of it.
    renameSync(`${file}.part`, file);
    session.disconnect();
  });
  return null;
}
