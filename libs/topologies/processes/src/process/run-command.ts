import type { Type } from '@nestjs/common';
import { runProcess, type ProcessFrame } from './run-process.ts';

/** The work of a program without arguments. */
export type Serve = (frame: ProcessFrame) => Promise<void>;
/** The work of a command, after which the program ends with the returned exit code or 0. */
export type Job = (frame: ProcessFrame) => Promise<number | void>;

/** Runs the command of the process arguments. An unknown command ends the process with 2. */
export function runCommand(
  name: string,
  serve: Serve,
  jobs: ReadonlyMap<string, Job>,
  controllers: readonly Type[] = [],
): Promise<void> {
  const command = process.argv.slice(2).join(' ');
  if (command === '') return runProcess(name, serve, { controllers });
  const work = jobs.get(command);
  if (work !== undefined)
    return runProcess(`${name}.${command.replaceAll(/[ -]+/g, '-')}`, (frame) => job(frame, () => work(frame)), {
      serves: false,
      controllers,
    });
  process.stderr.write(
    `unknown command ${JSON.stringify(command)}; there is: ${[...jobs.keys()].join(', ')}, or none to serve\n`,
  );
  process.exit(2);
}

async function job({ shutdown }: ProcessFrame, work: () => Promise<number | void>): Promise<void> {
  const exitCode = (await work()) ?? 0;
  process.exit((await shutdown.stop()) ? exitCode : 1);
}
