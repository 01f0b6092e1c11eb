import { sameDocument, type HoldReason, type Publication } from '@laurel/configuration';
import type { ConfigurationPlanAnswer, ServiceStatus } from '@laurel/schemas';
import type { Health, Logger } from '@laurel/runtime';

export interface HeldFileDependencies {
  readonly plan: ConfigurationPlanAnswer;
  readonly reasons: readonly HoldReason[];
  /** The document of LAUREL_CONFIG. */
  readonly file: unknown;
  /** Whether the demo is in force, with events. */
  readonly overDemo: boolean;
  /** Returns the versions published so far. */
  readonly publications: () => readonly Publication[];
}

/** A file that was not published, and the reason, for operators. */
export interface HeldBack {
  readonly overDemo: boolean;
  readonly reasons: readonly HoldReason[];
  readonly plan: ConfigurationPlanAnswer;
}

/** Keeps the file of LAUREL_CONFIG that a start did not publish, until its content is published. */
export class HeldFile {
  /** Used if the start published its file, or there was no file. */
  static readonly NONE = new HeldFile(null);

  #dependencies: HeldFileDependencies | null;
  #seen: Publication | undefined;

  constructor(dependencies: HeldFileDependencies | null) {
    this.#dependencies = dependencies;
    this.#seen = dependencies?.publications().at(-1);
  }

  /** null if no file waits for publication. */
  get present(): HeldBack | null {
    if (this.#dependencies !== null && this.#wasPublished(this.#dependencies)) this.#dependencies = null;
    return this.#dependencies;
  }

  /** A note for `/readyz`. It contains no path of a file, because everybody may read it. */
  get note(): string | null {
    const held = this.present;
    if (held === null) return null;
    if (held.overDemo) return OVER_DEMO;
    return (
      `the file of LAUREL_CONFIG was not published: its plan ${inWords(held.reasons)}; ` +
      `version ${held.plan.current} stays in force until \`laurel config publish --accept FILE\``
    );
  }

  #wasPublished({ publications, file }: HeldFileDependencies): boolean {
    const newest = publications().at(-1);
    if (newest?.version === this.#seen?.version && newest?.publishedAt === this.#seen?.publishedAt) return false;
    this.#seen = newest;
    return newest !== undefined && sameDocument(newest.document, file);
  }
}

const OVER_DEMO =
  'the file of LAUREL_CONFIG was not published, because events are recorded with the demo: either publish it with ' +
  '`laurel config publish FILE --accept` (the users recorded so far stay), or start with a new LAUREL_DATA_DIR for a clean beginning';

/** The file for `GET /admin/v1/status`. */
export const heldBackAnswer = (held: HeldBack | null): Pick<ServiceStatus, 'heldBackConfiguration'> =>
  held === null ? {} : { heldBackConfiguration: { reasons: [...held.reasons], changes: held.plan.changes.length } };

/** Most changes of a plan in one log line. */
const LOGGED_CHANGES = 100;

/** Logs the plan of a file that was not published, and shows it in `/readyz` as long as it waits. */
export function reportHeldFile(held: HeldFile, health: Pick<Health, 'note'>, logger: Pick<Logger, 'warn'>): void {
  health.note('configuration', () => held.note);
  const { present, note } = held;
  if (present === null) return;
  const { reasons, plan } = present;
  const changes = plan.changes.slice(0, LOGGED_CHANGES);
  logger.warn({ reasons, plan: { ...plan, changes }, changes: plan.changes.length }, note ?? '');
}

const inWords = (reasons: readonly HoldReason[]): string =>
  [reasons.slice(0, -1).join(', '), reasons.at(-1)].filter(Boolean).join(' and ');
