import { measured, runCommand } from './run-command.mjs';

/**
 * Has a service apply its log again with the command that users run.
 *
 * @param {{ name: string, url: string, pid: number }} service
 * @returns {{ applied: number, seconds: number, node: number, database: number }} CPU in µs for a record
 */
export function rebuildIn(service) {
  const { result, seconds, cpu } = measured(service, () => JSON.parse(runCommand(service, 'rebuild', '--json')));
  if (cpu === null) throw new Error('CPU time is read from /proc, which is not here');
  const { applied } = result;
  return { applied, seconds, node: (cpu.node * 1_000) / applied, database: (cpu.database * 1_000) / applied };
}

/** @returns {string} equal as long as every stored value is */
export const digestOf = (service) => JSON.stringify(JSON.parse(runCommand(service, 'digest', '--json')).lines);
