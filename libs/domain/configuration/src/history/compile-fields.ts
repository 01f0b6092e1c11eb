import type { Field, Fields, Metric, NamedAchievement, PointsCap, WrittenCap, WrittenConditions } from '@laurel/kernel';
import { amountIn, instantIn } from '../document/trigger-content.ts';
import { compileConditions, type ConditionHashes } from './compile-conditions.ts';
import { defined } from './defined.ts';

/** The definitions that fields of a version refer to. */
export interface References {
  readonly metricByKey: ReadonlyMap<string, Metric>;
  readonly achievementByKey: ReadonlyMap<string, NamedAchievement>;
  /** The hashes of the attributes that conditions name, as they were published. */
  readonly hashes: ConditionHashes;
}

/** @param written the fields, accepted by the schema of the document */
export const compileFields = (
  fields: Fields,
  written: object,
  references: References,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(
      ([name, field]) => [name, compileField(field, written[name as keyof typeof written], references)] as const,
    ),
  );

function compileField(
  { holds }: Field,
  written: unknown,
  { metricByKey, achievementByKey, hashes }: References,
): unknown {
  switch (holds) {
    case 'metric':
      return defined(metricByKey, written as string);
    case 'achievement':
      return defined(achievementByKey, written as string);
    case 'achievements':
      return (written as readonly string[]).map((key) => defined(achievementByKey, key));
    case 'amount':
      return amountIn(written as number);
    case 'points':
      return BigInt(written as number);
    case 'optional instant':
      return instantIn(written as string | null);
    case 'optional cap':
      return written === null ? null : compileCap(written as WrittenCap);
    case 'optional conditions':
      return compileConditions(written as WrittenConditions | null, hashes);
    default:
      return written;
  }
}

export const compileCap = ({ per, points }: WrittenCap): PointsCap => ({ per, points: BigInt(points) });
