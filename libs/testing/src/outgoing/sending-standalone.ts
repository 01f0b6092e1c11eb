import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone, type StandaloneUnderTest } from '../faults/standalone.ts';
import { Receiver } from './receiver.ts';

export interface SendingOptions {
  /** The initial configuration document. */
  readonly configuration: string;
  /** Returns LAUREL_CLOCK for each start. */
  readonly clock: () => string;
  /** Determines how the receiver answers. */
  readonly seed: number;
}

/** The built standalone with a receiver for its webhooks, in a folder that is removed when both stop. */
export interface SendingStandalone {
  readonly standalone: StandaloneUnderTest;
  readonly receiver: Receiver;
  readonly dataDir: string;
  stop(): Promise<void>;
}

export async function startSending({ configuration, clock, seed }: SendingOptions): Promise<SendingStandalone> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-sending-'));
  // If started by root, Postgres runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const [config, dataDir] = [join(folder, 'laurel.config.yaml'), join(folder, 'data')];
  await writeFile(config, configuration);
  const environment = {
    LAUREL_CONFIG: config,
    LAUREL_DATA_DIR: dataDir,
    LAUREL_WEBHOOK_ALLOW: '127.0.0.1',
    LAUREL_WEBHOOK_RETRY_PERMILLE: '1',
  };
  const standalone = await startStandalone(folder, environment, () => ({ LAUREL_CLOCK: clock() }));
  const receiver = await Receiver.start(folder, seed);
  const stop = async (): Promise<void> => {
    await receiver.stop();
    await standalone.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { standalone, receiver, dataDir, stop };
}
