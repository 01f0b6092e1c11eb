// Checks that the index of the decision records, docs/adr/README.md, matches the records. node
// tools/check-architecture.mjs runs this check together with those of the other documents.

const RECORD = /^docs\/adr\/(\d{4})-[\w-]+\.md$/;
export const INDEX = 'docs/adr/README.md';

/** The row of a record in the index: `| [0001](0001-….md) | title | status | sentence |`. */
const ROW = /^\| \[(\d{4})\]\(([^)]*)\) *\|(.*)\|(.*)\|(.*)\|$/gm;
/** The row of a number whose text has moved elsewhere: `| 0009 | title | [page](….md) |`. */
const MOVED = /^\| (\d{4}) *\|.*\]\(.*\) *\|$/gm;

/** The status without links, as both the index and the record write it: `accepted; amended by 0027, 0054`. */
const plainStatus = (text) =>
  text
    .replace(/\[(\d{4})\]\([^)]*\)/g, '$1')
    .replaceAll(' and ', ', ')
    .replace(/\.$/, '')
    .trim();

/** @returns {readonly { number: string, path: string, title: string, status: string, sentence: string }[]} */
export function indexedDecisions(index) {
  return [...index.matchAll(ROW)].map(([, number, file, title, status, sentence]) => ({
    number,
    path: `docs/adr/${file}`,
    title: title.trim(),
    status: plainStatus(status.trim()),
    sentence: sentence.trim(),
  }));
}

/**
 * The title and status of a record. `amends` lists the records that it amends; `status` is empty if the record has no
 * status line.
 */
export function decisionOf(markdown) {
  const title = /^# (?:\d{4} )?(.*)$/m.exec(markdown)?.[1] ?? '';
  const status = /^Status: ([^]*?)\n\n/m.exec(markdown)?.[1] ?? '';
  const amends = /^Amends ([^]*?)\n\n/m.exec(markdown)?.[1] ?? '';
  return { title, status: plainStatus(status.replaceAll('\n', ' ')), amends: numbersIn(amends) };
}

const numbersIn = (text) => [...text.matchAll(/\[(\d{4})\]/g)].map(([, number]) => number);

/** The numbers that follow the given word in a status: `amended by 0027, 0054`. */
const numbersBehind = (word, status) =>
  new RegExp(`${word} by ((?:\\d{4}(?:, )?)+)`).exec(status)?.[1].match(/\d{4}/g) ?? [];

const STATUS = /^(?:accepted|superseded by \d{4})(?:; amended by \d{4}(?:, \d{4})*)?$/;

/**
 * The differences between the index and the records, and between records that amend each other.
 *
 * @param {ReadonlyMap<string, string>} documents every document by path
 * @returns {readonly string[]}
 */
export function decisionProblems(documents) {
  const index = documents.get(INDEX) ?? '';
  const records = [...documents].flatMap(([path, text]) => {
    const number = RECORD.exec(path)?.[1];
    return number === undefined ? [] : [{ number, path, ...decisionOf(text) }];
  });
  const rows = indexedDecisions(index);
  const moved = [...index.matchAll(MOVED)].map(([, number]) => number);
  return [
    ...records.flatMap((record) => recordProblems(record, { records, rows, moved })),
    ...rows.flatMap(({ number, path }) => (documents.has(path) ? [] : [`${INDEX}: ${number} is no record`])),
  ];
}

function recordProblems(record, { records, rows, moved }) {
  const { number, path, status } = record;
  const problems = [];
  if (records.some((other) => other.number === number && other.path !== path) || moved.includes(number))
    problems.push(`${path}: the number ${number} is taken; take the next free one`);
  if (!STATUS.test(status))
    problems.push(
      `${path}: below the title stands "Status: accepted." or "Status: superseded by [0000](…).", found "${status}"`,
    );
  for (const later of numbersBehind('superseded', status))
    if (!records.some((other) => other.number === later)) problems.push(`${path}: there is no record ${later}`);
  for (const other of records) problems.push(...amendmentProblems(record, other));
  return [...problems, ...rowProblems(record, rows)];
}

/** Of two records where one amends the other, both must say so. */
function amendmentProblems({ path, number, amends }, other) {
  const says = amends.includes(other.number);
  const isSaid = numbersBehind('amended', other.status).includes(number);
  if (says && !isSaid) return [`${other.path}: its status does not say "amended by ${number}"`];
  return isSaid && !says ? [`${path}: it does not say "Amends [${other.number}](…)", but ${other.number} says so`] : [];
}

function rowProblems({ number, path, title, status }, rows) {
  const found = rows.filter((row) => row.path === path);
  if (found.length !== 1) return [`${INDEX}: ${path} has ${found.length} rows, expected 1`];
  const [row] = found;
  const problems = [];
  if (row.number !== number) problems.push(`${INDEX}: the row of ${path} has the number ${row.number}`);
  if (row.title !== title) problems.push(`${INDEX}: ${number} has the title "${row.title}", its record "${title}"`);
  if (row.status !== status)
    problems.push(`${INDEX}: ${number} has the status "${row.status}", its record "${status}"`);
  if (row.sentence === '') problems.push(`${INDEX}: ${number} has no sentence`);
  return problems;
}
