import { AREAS, type AreaName, type Configuration, type AnswerParts } from '@laurel/kernel';

/** The known results of an event. */
export interface Gathered {
  readonly eventId: string;
  /** Without pending areas; empty for an imported event. The boards are in no particular order. */
  readonly sections: AnswerParts;
  readonly pending: readonly AreaName[];
}

export const nothingOf = (eventId: string): Gathered => ({ eventId, sections: {}, pending: AREAS });

/** Puts the boards into configuration order (specification, section 2). */
export function sectionsOf({ sections }: Pick<Gathered, 'sections'>, { leaderboards }: Configuration): AnswerParts {
  if (!sections.leaderboards) return sections;
  const places = new Map(leaderboards.map(({ key }, place) => [key, place]));
  const placeOf = ({ key }: { readonly key: string }): number => places.get(key) ?? leaderboards.length;
  return {
    ...sections,
    leaderboards: { boards: sections.leaderboards.boards.toSorted((a, b) => placeOf(a) - placeOf(b)) },
  };
}
