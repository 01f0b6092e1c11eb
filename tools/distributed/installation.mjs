// An installation of the distributed topology in a folder: its form, its keys, and the variables that its processes
// get.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ALL_AREAS = 'users,streaks,achievements,points,leaderboards';
/** The processes that run the chain in each form. An empty list stands for one process for each service. */
export const FORMS = { six: [], fused: [ALL_AREAS] };
const FILE = 'installation.json';
const DEFAULT_PORT = 3000;
const PARTITIONS = 12;
/**
 * Variables that a user may set for the whole installation. The content of its folder and the addresses of its
 * processes are not among them.
 */
const GIVEN = [
  ...['LAUREL_CLOCK', 'LAUREL_CONSOLE', 'LAUREL_LOG_LEVEL', 'LAUREL_METRICS', 'LAUREL_PUBLIC_URL'],
  ...['LAUREL_USER_SEARCH', 'LAUREL_WEBHOOK_ALLOW', 'LAUREL_ANSWER_LIMIT_MS', 'LAUREL_MAX_CONNECTIONS'],
];

const secret = () => randomBytes(24).toString('base64url');

/**
 * @param {string} folder
 * @param {{ form?: string, variables: Readonly<Record<string, string | undefined>>, shownAs: string }} asked `form`: if
 *   it is not given, the form of the folder, or `six` for a new folder; `shownAs`: the folder as messages name it
 * @returns an installation whose `keep` stores what the next start needs: call it when the installation has started
 * @throws {Error} if there is no such form, or the folder was started in another one
 */
export function openInstallation(folder, { form, variables, shownAs }) {
  if (form !== undefined && !(form in FORMS))
    throw new Error(`--form must be ${Object.keys(FORMS).join(' or ')}, got "${form}"`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILE);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  if (kept !== null && form !== undefined && form !== kept.form)
    throw new Error(
      `${shownAs} was started in the form ${kept.form}, and its topics and checkpoints are those of that form. ` +
        `Start it with --form ${kept.form}, or remove the folder to begin again with --form ${form}. ` +
        'docs/guides/distributed.md says how an installation is moved to other steps.',
    );
  const own = kept ?? {
    form: form ?? 'six',
    partitions: Number(variables.LAUREL_PARTITIONS ?? PARTITIONS),
    apiKey: secret(),
    internalToken: secret(),
    secretsKey: secret(),
  };
  // The secrets are stored before the first process starts: with other secrets the next start would fail.
  if (kept === null) write(file, { ...own, isConfigured: false });
  return {
    ...own,
    isNew: !kept?.isConfigured,
    apiKey: variables.LAUREL_API_KEY ?? own.apiKey,
    config: variables.LAUREL_CONFIG,
    port: Number(variables.LAUREL_PORT ?? DEFAULT_PORT),
    given: Object.fromEntries(
      GIVEN.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
    ),
    keep: () => write(file, { ...own, isConfigured: true }),
  };
}

function write(file, content) {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
