import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from '@laurel/database';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import { type TcpProxy } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { randomOf, seedOf } from '@laurel/testing/random';
import { Load, compareWithUndisturbed, differencesIn } from '@laurel/testing/distributed';
import {
  freezeFor,
  isReadyOnlyIfItRecords,
  openSmallDisk,
  refusals,
  showsInStatus,
  useUpWal,
  startOwnServer,
  startStandalone,
  type SmallDisk,
  type StandaloneUnderTest,
  type WatchOptions,
} from '@laurel/testing/faults';

const EVENTS = 30;
const FROZEN_MS = 30_000;
const DISK_MEGABYTES = 400;
/** `npm run ci:night`: each component in each topology, for longer. */
const LONG = process.env['LAUREL_FAULTS'] === 'long';
/** For the instants of the faults. */
const random = randomOf(seedOf('faults of the standalone'));
const KILLS = LONG ? 10 : 1;
/** One that ends more often than five times within a minute is given up, and the process ends with it. */
const KILLS_OF_POSTGRES = LONG ? 5 : 1;
/** Longer than a server is started again that ends for another reason. */
const FULL_MS = LONG ? 90_000 : 20_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A standalone under load, and what can be done to it. */
interface World {
  readonly name: string;
  readonly standalone: StandaloneUnderTest;
  readonly connection: ConnectionOptions;
  readonly disk: SmallDisk;
  readonly load: Load;
  readonly postgresPid: () => Promise<number>;
  readonly proxy: TcpProxy | null;
  close(): Promise<void>;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-faults-'));
  // As root, Postgres runs as another user, who must be able to pass through.
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'laurel.config.yaml'), HTTP_SUITE_CONFIGURATION);
  return folder;
}

const loadOn = ({ url, apiKey }: StandaloneUnderTest): Load =>
  Load.start({
    urls: [url],
    apiKey,
    metrics: ['lessons', 'reviews', 'words', 'spent'],
    users: Array.from({ length: 40 }, (_, number) => `user ${number}`),
    lanes: 8,
  });

async function embeddedWorld(): Promise<World> {
  const folder = await newFolder();
  const writers = () => (standalone.pid === 0 ? [] : [standalone.pid]);
  const disk = openSmallDisk(join(folder, 'data'), { megabytes: DISK_MEGABYTES, writers });
  const environment = { LAUREL_CONFIG: join(folder, 'laurel.config.yaml'), LAUREL_DATA_DIR: disk.folder };
  const standalone = await startStandalone(folder, environment);
  const found = await inspectEmbeddedPostgres(disk.folder);
  if (found.state !== 'running') throw new Error(`the embedded database is ${found.state}`);
  const load = loadOn(standalone);
  return {
    name: 'the embedded Postgres',
    standalone,
    connection: found.connection,
    disk,
    load,
    postgresPid: async () =>
      Number.parseInt(await readFile(join(disk.folder, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    proxy: null,
    close: async () => {
      disk.free();
      await load.abandon();
      await standalone.stop();
      disk.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ownWorld(): Promise<World> {
  const folder = await newFolder();
  const disk = openSmallDisk(join(folder, 'postgres'), { megabytes: DISK_MEGABYTES, writers: () => [server.pid] });
  const server = await startOwnServer(disk.folder);
  const standalone = await startStandalone(folder, {
    LAUREL_CONFIG: join(folder, 'laurel.config.yaml'),
    LAUREL_DATA_DIR: join(folder, 'data'),
    LAUREL_DATABASE_URL: server.url,
  });
  const load = loadOn(standalone);
  return {
    name: 'a Postgres of the operator’s own',
    standalone,
    connection: server.connection,
    disk,
    load,
    postgresPid: () => Promise.resolve(server.pid),
    proxy: server.proxy,
    close: async () => {
      disk.free();
      await load.abandon();
      await standalone.stop();
      await server.stop();
      disk.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('a standalone process under a load of parallel posts', () => {
  const worlds: World[] = [];
  let embedded: World;
  let own: World;

  beforeAll(async () => {
    const opened = await Promise.allSettled([
      embeddedWorld().then((world) => (embedded = world)),
      ownWorld().then((world) => (own = world)),
    ]);
    for (const outcome of opened) if (outcome.status === 'fulfilled') worlds.push(outcome.value);
    for (const outcome of opened) if (outcome.status === 'rejected') throw outcome.reason;
    await everywhere(({ load }) => load.more(EVENTS));
  });
  afterAll(() => everywhere((world) => world.close()));

  const everywhere = async (act: (world: World) => Promise<unknown>): Promise<void> => {
    await Promise.all(worlds.map(act));
  };
  /** Under load before, meanwhile and after. */
  const withFault = async (world: World, fault: () => Promise<void>, options: WatchOptions = {}): Promise<void> => {
    const { standalone, load } = world;
    const troubles = () => `${world.name}: ${standalone.printed().split('\n').slice(-40).join('\n')}`;
    await showsInStatus(standalone, fault, { troubles, ...options });
    expect(standalone.hasEnded()).toBe(false);
    await load.more(EVENTS);
  };
  const killPostgres = async ({ postgresPid }: World): Promise<void> => {
    process.kill(await postgresPid(), 'SIGKILL');
  };
  const killProcess = async ({ standalone }: World): Promise<void> => {
    await standalone.kill();
    await standalone.start();
  };
  const freezePostgres = async ({ postgresPid }: World): Promise<void> => freezeFor(await postgresPid(), FROZEN_MS);
  const freezeProcess = ({ standalone }: World): Promise<void> => freezeStandalone(standalone.pid);

  it('goes on when its Postgres is killed', async () => {
    for (let time = 0; time < KILLS_OF_POSTGRES; time++) {
      await pause(random() * 1_000);
      await everywhere((world) => withFault(world, () => killPostgres(world)));
    }
  });

  it('goes on when the process is killed and restarted', async () => {
    for (let time = 0; time < KILLS; time++) {
      await pause(random() * 1_000);
      await everywhere((world) => withFault(world, () => killProcess(world), { meanwhile: 'silent' }));
    }
  });

  it('goes on when its Postgres or the process is frozen for half a minute', async () => {
    await Promise.all([
      withFault(embedded, () => freezePostgres(embedded)),
      withFault(own, () => freezeProcess(own), { meanwhile: 'silent' }),
    ]);
    if (!LONG) return;
    await Promise.all([
      withFault(own, () => freezePostgres(own)),
      withFault(embedded, () => freezeProcess(embedded), { meanwhile: 'silent' }),
    ]);
  });

  it('goes on when connections to its Postgres are delayed and cut', async () => {
    const { proxy, load } = own;
    if (proxy === null) throw new Error('there is no proxy');
    proxy.delayMs = 100;
    await load.more(EVENTS);
    for (let time = 0; time < 3; time++) {
      proxy.cut();
      await load.more(EVENTS);
    }
    proxy.delayMs = 0;
    await withFault(own, async () => {
      proxy.frozen = true;
      await refusals(load);
      proxy.frozen = false;
    });
  });

  it('answers 503 while the disk is full and recovers when there is space', async () => {
    await everywhere((world) =>
      withFault(world, async () => {
        world.disk.fill();
        if (world.disk.refusesSmallFiles) {
          await refusals(world.load);
          await isReadyOnlyIfItRecords(world.standalone, world.load, 3_000);
        }
        await useUpWal(world.connection);
        await refusals(world.load);
        await isReadyOnlyIfItRecords(world.standalone, world.load, FULL_MS);
        world.disk.free();
      }),
    );
  });

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    for (const { name, standalone, connection, load } of worlds) {
      await load.stop();
      expect([name, load.violations]).toEqual([name, []]);
      const { url, apiKey } = standalone;
      const differences = await differencesIn({ url, apiKey, connection, events: 'events' }, load);
      expect([name, differences]).toEqual([name, { lost: [], surplus: [], totals: [] }]);
    }
  });

  it('stores what an undisturbed process makes of the same log', async () => {
    for (const { connection } of worlds) {
      const { stored, undisturbed } = await compareWithUndisturbed(connection, 'default');
      expect(stored).toEqual(undisturbed);
    }
  });
});

/** Without the database that is its child. */
async function freezeStandalone(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await pause(FROZEN_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
