import { listenForInterrupt, OutputClosedError, PROCESS, watchOutput } from './command-context.ts';
import { runLaurel } from './program.ts';

watchOutput();
listenForInterrupt();
const exitCode = await runLaurel(process.argv.slice(2), PROCESS);
// Work that cannot be stopped must not keep the process alive.
if (exitCode === 130 || PROCESS.interrupted.reason instanceof OutputClosedError) process.exit(exitCode);
process.exitCode = exitCode;
