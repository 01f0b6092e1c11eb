import type { ConfigurationDocument } from '@laurel/schemas';
import { formatPath, type Path } from './path.ts';
import type { Warning } from './document-warnings.ts';

/**
 * Warns where answers will contain decimals that strict clients of this API read as integers: in thresholds, and in
 * values of boards that rank by a metric for which the document itself uses decimals. The answers are correct
 * nevertheless.
 */
export function decimalWarnings(document: ConfigurationDocument): readonly Warning[] {
  const decimals = decimalsOf(document);
  const metrics = new Set(decimals.map(({ metric }) => metric));
  return [
    ...decimals.filter(({ shown }) => shown).map(({ path }) => warning(path, 'is not a whole number')),
    ...document.leaderboards.flatMap((board, index) =>
      board.metric !== undefined && metrics.has(board.metric)
        ? [
            warning(
              ['leaderboards', index],
              `will have values that are not whole numbers, as ${board.metric} is measured in decimals`,
            ),
          ]
        : [],
    ),
  ];
}

const warning = (path: Path, what: string): Warning => ({
  path: formatPath(path),
  message: `${what}; clients that read it as an integer will fail`,
});

interface Decimal {
  readonly metric: string;
  readonly path: Path;
  /** Whether answers show the value. */
  readonly shown: boolean;
}

function decimalsOf({ streak, achievements, points }: ConfigurationDocument): readonly Decimal[] {
  const found: Decimal[] = [];
  const note = (metric: string, value: number, path: Path, shown: boolean) => {
    if (!Number.isInteger(value)) found.push({ metric, path, shown });
  };
  streak?.conditions.forEach(({ metric, threshold }, index) =>
    note(metric, threshold, ['streak', 'conditions', index, 'threshold'], false),
  );
  achievements.forEach(({ trigger }, index) => {
    if (trigger.type === 'metric')
      note(trigger.metric, trigger.value, ['achievements', index, 'trigger', 'value'], true);
  });
  points.forEach(({ triggers }, system) =>
    triggers.forEach((trigger, index) => {
      if (trigger.type === 'metric')
        note(trigger.metric, trigger.threshold, ['points', system, 'triggers', index, 'threshold'], true);
    }),
  );
  return found;
}
