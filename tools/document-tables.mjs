import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

export const code = (text) => `\`${text}\``;
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/**
 * Writes tables into documents, each between `<!-- LABEL: NAME -->` and `<!-- /LABEL -->`. With `--check` it writes
 * nothing; the process exits with 1 if a document differs from what would be written.
 *
 * @param {{ label: string, documents: readonly string[], tables: Readonly<Record<string, () => string>> }} options
 *   documents: paths from the root of the repository
 */
export async function keepTables({ label, documents, tables }) {
  const place = new RegExp(`(<!-- ${label}: (\\w+) -->\\n)[^]*?(<!-- /${label} -->)`, 'g');
  const missing = new Set(Object.keys(tables));
  for (const name of documents) {
    const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const present = readFileSync(path, 'utf8');
    const filled = present.replaceAll(place, (_, begin, which, end) => {
      if (!(which in tables)) throw new Error(`${name} asks for a table ${which}, which nothing writes`);
      missing.delete(which);
      return `${begin}\n${tables[which]()}\n\n${end}`;
    });
    const wanted = await format(filled, { ...(await resolveConfig(path)), filepath: path });
    if (wanted === present) console.log(`${name} shows the present ${label}`);
    else if (process.argv.includes('--check')) {
      console.log(`${name} does not show the present ${label}: npm run generate`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, wanted);
      console.log(`wrote the ${label} in ${name}`);
    }
  }
  if (missing.size > 0) throw new Error(`no document has the tables ${[...missing].join(', ')}`);
}
