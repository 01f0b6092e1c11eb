import type { Configuration, ConfigurationHistory, EffectList, UserArea } from '@laurel/kernel';
import type { AnyUserArea } from '../folding/document.ts';
import { createHash } from 'node:crypto';

interface Trace {
  count: number;
  /** All records of the user so far, in order, with the results of the areas before. */
  trace: string;
}

/** An area whose states, answer parts and effects differ for any two histories. */
export function tracingArea(
  name: 'users' | 'points' | 'achievements',
  refuses: (record: { readonly position: number }) => boolean,
): AnyUserArea {
  const area: UserArea<Trace, Trace> = {
    name,
    stateVersion: 1,
    tables: [{ name: `${name}_rows`, onConflict: '' }],
    migrations: [],
    readableRows: [],
    needs: [],
    initial: () => ({ count: 0, trace: '' }),
    draft: (state) => ({ ...state }),
    apply(draft, { position, user }, { version }, emitter) {
      draft.count++;
      if (refuses({ position })) throw new Error(`${name} cannot apply ${position}`);
      const seen = JSON.stringify([draft.trace, position, version, user, (emitter as EffectList).effects]);
      draft.trace = createHash('sha256').update(seen).digest('hex').slice(0, 12);
      if (name === 'users') user.createdAt = draft.count;
      emitter.emit({ type: 'AchievementCompleted', achievement: `${name} ${draft.trace}` });
    },
    answerPart: (draft) => ({ ...draft }),
    rows: (draft, { occasion: { subject, position } }) =>
      new Map([[`${name}_rows`, [{ subject, position, ...draft }]]]),
    correct: () => ({ added: new Map(), removed: new Map() }),
    view: (state) => state,
    encode: (state) => state,
    decode: (json) => json as Trace,
  };
  return area as unknown as AnyUserArea;
}

/** Configurations that consist of their version only. */
export function numberedHistory(
  account: string,
  publications: readonly { readonly version: number }[],
): ConfigurationHistory {
  const numbered = (version: number): Configuration => ({ account, version }) as Configuration;
  return {
    account,
    current: numbered(publications.at(-1)?.version ?? 0),
    at: numbered,
    findTrigger: () => null,
  };
}
