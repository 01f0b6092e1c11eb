import { measured, runCommand } from './run-command.mjs';

/**
 * Imports a file with the command that users run, of the candidate's own checkout.
 *
 * @param {{ name: string, url: string, pid?: number, apiKey?: string, checkout?: string }} candidate a Laurel that runs
 * @param {{ file: string, events: number }} history
 * @param {'recorded' | 'known'} expected what must become of every line
 * @returns {{ rate: number, microseconds: number | null }} CPU of Node and Postgres for an event, without the command's own; null
 * without `pid`, and where there is no /proc
 */
export function importInto(candidate, { file, events }, expected) {
  const { result: output, seconds, cpu } = measured(candidate, () => runCommand(candidate, 'import', file));
  const counts = /(\d+) recorded, (\d+) already known, (\d+) refused/.exec(output)?.slice(1).map(Number);
  const wanted = expected === 'recorded' ? [events, 0, 0] : [0, events, 0];
  if (String(counts) !== String(wanted)) throw new Error(`${candidate.name}: ${output}`);
  return { rate: events / seconds, microseconds: cpu && ((cpu.node + cpu.database) * 1_000) / events };
}
