import {
  verdictIn,
  type ConfigurationHistory,
  type PointsRequest,
  type RecordedEvent,
  type Verdict,
} from '@laurel/kernel';
import { effectsByArea, storedEffects, type SqlOfArea } from './stored-effects.ts';

/**
 * How the points area decided these requests, by its stored effects; null while it has not applied the request, and if the user is erased.
 * @throws StoreUnavailableError
 */
export async function storedVerdicts(
  { sqlOf, configurations }: StoredVerdictsDependencies,
  requests: readonly RecordedEvent<PointsRequest>[],
): Promise<readonly (Verdict | null)[]> {
  const places = requests.map(({ position, fact: { subject } }) => ({ position, subject }));
  const rows = await storedEffects([sqlOf('points')], places);
  return requests.map(({ account, configurationVersion }, place) => {
    const row = rows[place];
    return row === undefined
      ? null
      : verdictIn(effectsByArea(row, configurations(account).at(configurationVersion), Infinity).points);
  });
}

export interface StoredVerdictsDependencies {
  readonly sqlOf: SqlOfArea;
  readonly configurations: (account: string) => ConfigurationHistory;
}
