import { answerOf, api } from './client.ts';
import { may } from './session.ts';

/** The parts of a configuration document that pages read. */
export interface Document {
  readonly metrics?: readonly Named[];
  readonly streak?: object | null;
  readonly achievements?: readonly (Named & { readonly hidden?: boolean })[];
  readonly points?: readonly Named[];
  readonly leaderboards?: readonly Named[];
}

interface Named {
  readonly key: string;
  readonly name?: string;
}

/** The document in force, or null if none is published yet. @throws Refused */
export async function currentDocument(signal: AbortSignal): Promise<Document> {
  const { document } = await answerOf(
    api.GET('/admin/v1/configurations/{version}', { params: { path: { version: 'current' } }, signal }),
  );
  return (document ?? {}) as Document;
}

/** Achievements that lists leave out; none without the scope to read the configuration. @throws Refused */
export async function hiddenAchievements(signal: AbortSignal): Promise<readonly Required<Named>[]> {
  if (!may('admin')) return [];
  const { achievements = [] } = await currentDocument(signal);
  return achievements.filter(({ hidden }) => hidden === true).map(({ key, name }) => ({ key, name: name ?? key }));
}

/** Names of the metrics in force, by key; empty without the scope to read the configuration. @throws Refused */
export async function metricNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (!may('admin')) return new Map();
  const { metrics = [] } = await currentDocument(signal);
  return new Map(metrics.map(({ key, name }) => [key, name ?? key]));
}
