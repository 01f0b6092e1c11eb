import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder with the rules of Prometheus and the dashboard. */
export const MONITORING = fileURLToPath(new URL('../../../monitoring', import.meta.url));

interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** The processes that have a metric: all, or those of one topology. */
export type MonitoredPart = 'every process' | 'standalone' | 'distributed';

/** The series that the rules and the dashboard use, by the processes that must have them. */
export async function monitoredSeries(): Promise<ReadonlyMap<MonitoredPart, ReadonlySet<string>>> {
  const parts = new Map<MonitoredPart, Set<string>>();
  const add = (part: MonitoredPart, expression: string) => {
    const names = parts.get(part) ?? new Set();
    for (const [name] of expression.matchAll(/\b(?:laurel|process|nodejs)_\w+/g)) names.add(name);
    parts.set(part, names);
  };
  const { groups } = parse(await readFile(`${MONITORING}/rules.yml`, 'utf8')) as Rules;
  for (const { name, rules } of groups) for (const { expr } of rules) add(partOf(name), expr);
  const { panels } = JSON.parse(await readFile(`${MONITORING}/dashboard.json`, 'utf8')) as Dashboard;
  let row = '';
  for (const { type, title, targets = [] } of panels) {
    if (type === 'row') row = title.toLowerCase();
    for (const { expr } of targets) add(partOf(row), expr);
  }
  return parts;
}

const METRICS: ReadonlyMap<string, MonitoredPart> = new Map([
  ['laurel', 'every process'],
  ['every process', 'every process'],
  ['laurel-standalone', 'standalone'],
  ['standalone', 'standalone'],
  ['laurel-distributed', 'distributed'],
  ['distributed', 'distributed'],
]);

function partOf(place: string): MonitoredPart {
  const part = METRICS.get(place);
  if (part === undefined) throw new Error(`'${place}' is no known group of rules or row of the dashboard`);
  return part;
}
