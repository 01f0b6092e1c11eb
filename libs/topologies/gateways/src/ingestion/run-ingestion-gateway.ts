import { type Job, runCommand, type Serve } from '@laurel/processes';
import { resendLog } from './resend-log.ts';
import { upgradeLog } from './upgrade-log.ts';

/** Runs an ingestion gateway. With the argument `resend` it publishes the log again and ends; with `upgrade` it converts a log of 0.1 and ends. */
export const runIngestionGateway = (serve: Serve): Promise<void> =>
  runCommand(
    'ingestion-gateway',
    serve,
    new Map<string, Job>([
      ['resend', resendLog],
      ['upgrade', upgradeLog],
    ]),
  );
