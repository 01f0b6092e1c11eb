/**
 * Runs jobs side by side, at most `slots` at a time, in the order given. A job starts when all jobs that it needs have
 * ended. If one of them failed, the job is not run and counts as failed too.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {readonly string[]} [needs] names of jobs
 * @property {boolean} [alone] nothing else runs at the same time
 *
 * @param {readonly Job[]} jobs
 * @param {{ slots: number, run: (job: Job) => Promise<boolean> }} options `run` returns whether the job passed; it must
 *   not reject
 * @returns {Promise<ReadonlyMap<string, boolean>>} by name, whether it passed
 * @throws {Error} before anything is run if a job needs one that comes later or does not exist
 */
export async function runJobs(jobs, { slots, run }) {
  checkOrder(jobs);
  const results = new Map();
  const waiting = [...jobs];
  const running = new Map();

  const startWhatCan = () => {
    for (const job of [...waiting]) {
      if ([...running.keys()].some(({ alone }) => alone)) return;
      if (running.size >= slots) return;
      const needs = job.needs ?? [];
      if (needs.some((name) => results.get(name) === false)) {
        waiting.splice(waiting.indexOf(job), 1);
        results.set(job.name, false);
      } else if (needs.every((name) => results.has(name))) {
        // While a job waits that must run alone, later jobs do not start either; otherwise that job might never start.
        if (job.alone && running.size > 0) return;
        waiting.splice(waiting.indexOf(job), 1);
        running.set(
          job,
          run(job).then((passed) => {
            results.set(job.name, passed);
            running.delete(job);
          }),
        );
      }
    }
  };

  while (waiting.length > 0 || running.size > 0) {
    startWhatCan();
    if (running.size > 0) await Promise.race(running.values());
  }
  return results;
}

function checkOrder(jobs) {
  const known = new Set();
  for (const { name, needs = [] } of jobs) {
    const missing = needs.find((needed) => !known.has(needed));
    if (missing !== undefined) throw new Error(`${name} needs ${missing}, which does not stand before it`);
    known.add(name);
  }
}
