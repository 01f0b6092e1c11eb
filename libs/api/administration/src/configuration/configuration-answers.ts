import { formatInstant } from '@laurel/calendar';
import type { Publication } from '@laurel/configuration';
import type { ConfigurationDocument, ConfigurationVersionAnswer, PublishedConfigurationAnswer } from '@laurel/schemas';

/**
 * A version in a list, with the numbers of its entries. The stored document is not validated again: there may be many,
 * of 1 MiB each.
 */
export function versionAnswer(publication: Publication, current: boolean): ConfigurationVersionAnswer {
  const { document } = publication;
  // The document was valid when it was published, but a document of an earlier release may lack fields that have a
  // default.
  const {
    metrics = [],
    achievements = [],
    points = [],
    leaderboards = [],
    streak,
  } = document as Partial<ConfigurationDocument>;
  return {
    ...headOf(publication),
    current,
    metrics: metrics.length,
    achievements: achievements.length,
    pointsSystems: points.length,
    leaderboards: leaderboards.length,
    streak: streak !== undefined,
  };
}

export function publishedAnswer(publication: Publication, text: string | null): PublishedConfigurationAnswer {
  return { ...headOf(publication), document: publication.document, text };
}

const headOf = ({ version, publishedAt, by, reason }: Publication) => ({
  version,
  publishedAt: formatInstant(publishedAt),
  publishedBy: by ?? null,
  reason: reason ?? null,
});
