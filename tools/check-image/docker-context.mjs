// What a builder would be sent of a checkout, by the rules of .dockerignore.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @throws {Error} for a pattern of a form that is not known here */
export function readIgnore(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const negated = line.startsWith('!');
      const pattern = (negated ? line.slice(1) : line).replace(/^\/|\/$/g, '');
      if (/[[\]\\]/.test(pattern) || pattern.includes('..')) throw new Error(`.dockerignore: not known here: ${line}`);
      return { negated, pattern, matches: toRegExp(pattern) };
    });
}

const PARTS = /\*\*\/|\*\*|\*|\?|[^*?]+/g;

function toRegExp(pattern) {
  const source = pattern.replace(PARTS, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      default:
        return part.replace(/[.+^${}()|]/g, '\\$&');
    }
  });
  return new RegExp(`^${source}$`);
}

/** The last pattern that matches the path, or a folder on the way to it, decides. */
export function isIgnored(path, patterns) {
  const steps = path.split('/');
  const ways = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  let ignored = false;
  for (const { negated, matches } of patterns) if (ways.some((way) => matches.test(way))) ignored = !negated;
  return ignored;
}

/**
 * Files and links below `root` that are sent, as paths with `/`. Of an ignored folder nothing is looked at, unless a
 * negated pattern names something in it.
 */
export function contextFiles(root, patterns, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const ignored = isIgnored(path, patterns);
    if (!entry.isDirectory()) return ignored ? [] : [path];
    const wanted = !ignored || patterns.some(({ negated, pattern }) => negated && pattern.startsWith(`${path}/`));
    return wanted ? contextFiles(root, patterns, path) : [];
  });
}
