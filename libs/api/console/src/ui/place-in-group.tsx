import type { Schemas } from '../api/client.ts';

/** The group and the tier of an achievement, where it has them. */
export function PlaceInGroup({ group, tier }: Pick<Schemas['Achievement'], 'group' | 'tier'>) {
  const place = [group, tier === undefined ? undefined : `tier ${tier}`].filter((part) => part !== undefined);
  return place.length === 0 ? null : <small class="place">{place.join(', ')}</small>;
}
