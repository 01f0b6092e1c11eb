import { formatInstant } from '@laurel/calendar';
import type { Publication } from '@laurel/configuration';
import {
  configurationDocument,
  type ConfigurationVersionAnswer,
  type PublishedConfigurationAnswer,
} from '@laurel/contracts';

/** A version in a list: what it holds, counted. */
export function versionAnswer(
  { version, publishedAt, document }: Publication,
  current: boolean,
): ConfigurationVersionAnswer {
  const { metrics, achievements, points, leaderboards, streak } = configurationDocument.parse(document);
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
