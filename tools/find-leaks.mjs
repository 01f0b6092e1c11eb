// Finds what must not be committed: the host of a private registry (also in the lock file, which records the registry
// that it was created with) and paths of a developer's machine. node tools/find-leaks.mjs [FILE...]; without files it
// checks everything that git would commit. Exits with 1 if it finds something, 2 if there was nothing to check.
import { execFileSync, execSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const REGISTRY = "a registry's host";

// The patterns are written so that they do not match this file, which is checked too.
const LEAKS = [
  { what: REGISTRY, pattern: /\bregistry\.[\w-]+\.(?:org|com|net|io|dev|cn)\b/i },
  { what: REGISTRY, pattern: /\b(?:npm\.pkg\.github|pkgs\.dev\.azure)\.com\b|\.jfrog\.io\b/i },
  {
    what: REGISTRY,
    pattern: /\bhttps?:\/\/(?!(?:www|docs)\.npmjs\.com\b)[\w.-]*(?:registry|npm|nexus|artifactory|verdaccio)[\w.:-]*/i,
  },
  { what: 'a host in the lock file', pattern: /"resolved":\s*"[\w+]+:\/\//, only: /(?:^|\/)package-lock\.json$/ },
  { what: 'a path of a machine', pattern: /(?<![\w.@*/}~-])\/(?:work|root|home\/[\w.-]+|Users\/[\w.-]+)(?![\w.-])/ },
  { what: 'a path out of the checkout', pattern: /\.\.\/shared\b/, except: /^\.ci\/run$/ },
  ...ownRegistry(),
];

/** The host of the registry that npm uses on this machine. */
function ownRegistry() {
  const { host, port, hostname } = new URL(execSync('npm config get registry', { encoding: 'utf8', stdio: 'pipe' }));
  const isEverywhere = port === '' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname);
  return isEverywhere ? [] : [{ what: REGISTRY, pattern: new RegExp(host.replace(/[^\w]/g, '\\$&'), 'i') }];
}

const committed = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile());

function leaksOf(path) {
  const content = readFileSync(path);
  if (content.includes(0)) return [];
  const rules = LEAKS.filter(({ only, except }) => (only?.test(path) ?? true) && !except?.test(path));
  return content
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => leaksInLine(rules, line, `${path}:${index + 1}`));
}

const leaksInLine = (rules, line, place) =>
  rules.flatMap(({ what, pattern }) => {
    const match = pattern.exec(line);
    return match ? [`${place}: ${what}: ${match[0]}`] : [];
  });

const named = process.argv.slice(2);
const files = named.length > 0 ? named : committed();
const leaks = files.flatMap(leaksOf);
for (const leak of leaks) console.log(leak);
console.log(`${files.length} files looked at, ${leaks.length} leaks`);
if (files.length === 0) process.exitCode = 2;
else if (leaks.length > 0) process.exitCode = 1;
