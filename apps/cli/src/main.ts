import { listenForInterrupt, PROCESS } from './command-context.ts';
import { runLaurel } from './program.ts';

// Whoever reads our output may have had enough of it (`| head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

listenForInterrupt();
const exitCode = await runLaurel(process.argv.slice(2), PROCESS);
// A command may have said it by itself.
if (exitCode !== 0) process.exitCode = exitCode;
