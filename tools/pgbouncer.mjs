import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder into which `ensure-pgbouncer.mjs` unpacks PgBouncer. Other accounts can reach it there, as they reach the
 * embedded Postgres.
 */
export const FOLDER = fileURLToPath(new URL('../node_modules/.cache/pgbouncer', import.meta.url));

const PROGRAM = 'usr/sbin/pgbouncer';
const SETTINGS = 'etc/pgbouncer/pgbouncer.ini';
/**
 * Folders for programs of administrators, in which Debian and others install PgBouncer, and which may be missing in
 * PATH.
 */
const OTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

export const HOW_TO_INSTALL =
  'On Debian and Ubuntu, run `node tools/ensure-pgbouncer.mjs`; elsewhere, install PgBouncer so that PATH finds it.';

/**
 * @returns {{ program: string, env: Readonly<Record<string, string>>, settings: string | null } | null} null if no
 *   PgBouncer is found; `env`: variables with which it finds its libraries; `settings`: the file of settings in the
 *   package
 */
export function findPgBouncer() {
  if (existsSync(join(FOLDER, PROGRAM))) {
    const libraries = ['lib', 'usr/lib'].flatMap((folder) => foldersIn(join(FOLDER, folder)));
    const env = { LD_LIBRARY_PATH: libraries.join(delimiter) };
    return { program: join(FOLDER, PROGRAM), env, settings: join(FOLDER, SETTINGS) };
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...OTHER_FOLDERS];
  const program = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
  if (program === undefined) return null;
  return { program, env: {}, settings: existsSync(join('/', SETTINGS)) ? join('/', SETTINGS) : null };
}

const foldersIn = (folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
