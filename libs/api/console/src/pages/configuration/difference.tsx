import { structuredPatch } from 'diff';
import { answerOf, api } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Card, Empty, Loaded } from '../../ui/elements.tsx';
import { useQuery } from '../../ui/query.ts';
import { comparable } from './document-text.ts';

/** Most changed lines shown: nobody reads more, and computing them takes long. */
const MOST_CHANGES = 4_000;

/** The difference between two versions, line by line. */
export function Difference({ versions }: { readonly versions: readonly number[] }) {
  const [older, setOlder] = useQuery('from', String(versions.at(-2) ?? ''));
  const [newer, setNewer] = useQuery('to', String(versions.at(-1) ?? ''));
  const texts = useResource(
    async (signal) => {
      const [before = '', after = ''] = comparable(
        await Promise.all([older, newer].map((version) => readVersion(version, signal))),
      );
      return { before, after };
    },
    [older, newer],
  );
  const choice = (label: string, value: string, choose: (version: string) => void) => (
    <label>
      {label}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {versions.toReversed().map((version) => (
          <option key={version} value={String(version)}>
            Version {version}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Card title="Difference between two versions" wide>
      <div class="filters">
        {choice('Older', older, setOlder)}
        {choice('Newer', newer, setNewer)}
      </div>
      <Loaded resource={texts} rows={6}>
        {({ before, after }) => <Lines before={before} after={after} />}
      </Loaded>
    </Card>
  );
}

const readVersion = (version: string, signal: AbortSignal) =>
  answerOf(api.GET('/admin/v1/configurations/{version}', { params: { path: { version } }, signal }));

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  '+': ['added', 'added'],
  '-': ['removed', 'removed'],
  ' ': ['', ''],
};

function Lines({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <Empty title="The two versions are the same." />;
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MOST_CHANGES });
  if (patch === undefined) return <Empty title="The two versions have too little in common to compare them by line." />;
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Lines that differ">
      <table class="difference">
        <caption class="hidden">Lines that differ, with three lines around them</caption>
        <thead class="hidden">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Change</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        {patch.hunks.map(({ oldStart, newStart, lines }) => (
          <tbody key={`${oldStart} ${newStart}`}>
            {numbered(lines, oldStart, newStart).map(({ number, sign, text }, place) => (
              <tr key={place} class={SIGNS[sign]?.[0] ?? ''}>
                <td class="number">{number}</td>
                <td>
                  <span aria-hidden="true">{sign}</span>
                  <span class="hidden">{SIGNS[sign]?.[1]}</span>
                </td>
                <td>
                  <code>{text}</code>
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** Each line with its number in its version. */
function numbered(lines: readonly string[], oldStart: number, newStart: number) {
  let [before, after] = [oldStart, newStart];
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      const sign = line.slice(0, 1);
      const number = sign === '-' ? before : after;
      if (sign !== '+') before++;
      if (sign !== '-') after++;
      return { number, sign, text: line.slice(1) };
    });
}
