import { listenForInterrupt, OutputClosedError, PROCESS, watchOutput } from './command-context.ts';
import { runLaurel } from './program.ts';

watchOutput();
listenForInterrupt();
const exitCode = await runLaurel(process.argv.slice(2), PROCESS);
// What could not be stopped must not keep the process that was told to stop.
if (exitCode === 130 || PROCESS.interrupted.reason instanceof OutputClosedError) process.exit(exitCode);
process.exitCode = exitCode;
