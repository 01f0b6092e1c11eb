import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@laurel/schemas';

/**
 * The page `/docs/errors`, generated from the table of problem codes. The `type` of an error links to the section of
 * its code.
 */
export function errorsPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Laurel API: errors</title>
    <link rel="stylesheet" href="errors.css">
    <link rel="icon" type="image/png" href="favicon.png">
  </head>
  <body>
    <h1>Errors</h1>
    <p>Every error is <code>application/problem+json</code>. Programs go by <code>code</code>; people by <code>detail</code>.
      The whole API: <a href="../docs">documentation</a>.</p>
    <ul>
${PROBLEM_CODES.map((code) => `      <li><a href="#${code}">${code}</a></li>`).join('\n')}
    </ul>
${PROBLEM_CODES.map(section).join('\n')}
  </body>
</html>
`;
}

export const ERRORS_STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
ul { columns: 3 14rem; padding: 0; list-style: none; }
section { border-top: 1px solid #ccc; }
section:target { background: #fff7d6; }
pre { overflow-x: auto; background: #f4f4f4; padding: 0.75rem; }
`;

function section(code: ProblemCode): string {
  const { when, example } = PROBLEMS[code];
  return `    <section id="${code}">
      <h2>${example.status} <code>${code}</code></h2>
      <p>${prose(when)}</p>
      <p>${prose(whatToDo(code))}</p>
      <pre>${escaped(JSON.stringify(example, null, 2))}</pre>
    </section>`;
}

function whatToDo(code: ProblemCode): string {
  switch (PROBLEMS[code].example.status) {
    case 408:
      return 'Send the request again.';
    case 429:
    case 503:
      return 'Send the request again after the seconds in `Retry-After`, an event with the same `Idempotency-Key`.';
    case 500:
      return 'Report it with the incident id. Sending an event again with the same `Idempotency-Key` is safe.';
    default:
      return 'The same request will be refused again: change it first.';
  }
}

/** Text in which backticks mark code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
