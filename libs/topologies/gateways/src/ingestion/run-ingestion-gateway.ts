import { type Job, runCommand, type Serve } from '@laurel/processes';
import { resendLog } from './resend-log.ts';
import { upgradeLog } from './upgrade-log.ts';

/** Runs an ingestion gateway; with the argument `resend` it publishes the log again instead, with `upgrade` it copies a log of 0.1; then it ends. */
export const runIngestionGateway = (serve: Serve): Promise<void> =>
  runCommand(
    'ingestion-gateway',
    serve,
    new Map<string, Job>([
      ['resend', resendLog],
      ['upgrade', upgradeLog],
    ]),
  );
