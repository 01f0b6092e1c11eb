import type { ConfigurationDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, keysOf, ONLY_SHOWN } from './compare-lists.ts';
import type { Past } from './past.ts';

type Metrics = ConfigurationDocument['metrics'];

export function compareMetrics(before: Metrics, after: Metrics, past: Past): Change[] {
  const pathOf = (key: string) => `metrics.${key}`;
  const entries = compareLists(before, after, {
    identityOf: ({ key }) => key,
    onAdded: (metric) => [added(pathOf(metric.key), metric, whenAdded(metric.key, past))],
    onRemoved: (metric) => [removed(pathOf(metric.key), metric, WHEN_REMOVED)],
    onKept: (was, is) => changedFields<Metrics[number], 'key'>(pathOf(is.key), was, is, { name: ONLY_SHOWN }),
  });
  return [...entries, ...compareOrder('metrics', keysOf(before), keysOf(after))];
}

const WHEN_REMOVED =
  'From publication, Laurel answers events for it with 404. It keeps the totals but no longer shows them.';

function whenAdded(key: string, past: Past): string {
  const version = past.versionWith('metrics', key);
  return version === null
    ? 'Laurel accepts events for it from publication.'
    : `Laurel accepts events for it again. Totals continue from where they were in version ${version}.`;
}
