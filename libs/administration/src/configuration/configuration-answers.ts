import { formatInstant } from '@laurel/calendar';
import type { Publication } from '@laurel/configuration';
import type {
  ConfigurationDocument,
  ConfigurationVersionAnswer,
  PublishedConfigurationAnswer,
} from '@laurel/contracts';

/** A version in a list: what it holds, counted. It is not parsed again: there may be many, of 1 MiB each. */
export function versionAnswer(
  { version, publishedAt, document }: Publication,
  current: boolean,
): ConfigurationVersionAnswer {
  // It was accepted; one of an earlier release may lack fields that have a default.
  const {
    metrics = [],
    achievements = [],
    points = [],
    leaderboards = [],
    streak,
  } = document as Partial<ConfigurationDocument>;
  return {
    version,
    publishedAt: formatInstant(publishedAt),
    current,
    metrics: metrics.length,
    achievements: achievements.length,
    pointsSystems: points.length,
    leaderboards: leaderboards.length,
    streak: streak !== undefined,
  };
}

export function publishedAnswer({ version, publishedAt, document }: Publication): PublishedConfigurationAnswer {
  return { version, publishedAt: formatInstant(publishedAt), document };
}
