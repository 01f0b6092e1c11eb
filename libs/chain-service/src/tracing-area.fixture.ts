import type { ChainMessage, Configuration, ConfigurationHistory, UserArea } from '@laurel/contracts';
import type { AnyUserArea } from '@laurel/projections';
import { createHash } from 'node:crypto';

interface Trace {
  readonly count: number;
  /** Of all messages of the user so far, in their order, with all that the services before have said of them. */
  readonly trace: string;
}

/** An area whose state and sections tell any two histories apart. */
export function tracingArea(
  name: 'users' | 'points' | 'achievements',
  refuses: (message: ChainMessage) => boolean,
): AnyUserArea {
  const area: UserArea<Trace, Trace> = {
    name,
    stateVersion: 1,
    tables: [{ name: `${name}_rows`, onConflict: '' }],
    initial: () => ({ count: 0, trace: '' }),
    project: ({ count, trace }, message, { version }) => {
      if (refuses(message)) throw new Error(`${name} cannot apply ${message.record.position}`);
      const { record, ...sections } = message;
      const seen = JSON.stringify([trace, record.position, version, sections]);
      const next = { count: count + 1, trace: createHash('sha256').update(seen).digest('hex').slice(0, 12) };
      const row = { subject: record.fact.subject, position: record.position, ...next };
      return { state: next, section: next, rows: new Map([[`${name}_rows`, [row]]]) };
    },
    view: (state) => state,
    encode: (state) => state,
    decode: (json) => json as Trace,
  };
  return area as unknown as AnyUserArea;
}

/** Configurations that are only their numbers. */
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
