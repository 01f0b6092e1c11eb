import { listenForInterrupt, PROCESS } from './command-context.ts';
import { runLaurel } from './program.ts';

// The reader of our output may have had enough of it (`| head`): that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

listenForInterrupt();
const exitCode = await runLaurel(process.argv.slice(2), PROCESS);
// What could not be stopped must not keep the process that was told to stop.
if (exitCode === 130) process.exit(exitCode);
process.exitCode = exitCode;
