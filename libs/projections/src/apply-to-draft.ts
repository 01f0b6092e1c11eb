import {
  EffectList,
  FiredSystems,
  occasionOf,
  type AppliedOccasion,
  type ChainMessage,
  type Configuration,
  type Occasion,
  type Rows,
  type Sections,
} from '@laurel/contracts';
import type { Batch } from './batch.ts';
import type { ChangedUser, Draft, UserEvent, UserRecord } from './changed-user.ts';
import { userKey, type AnyDraftedArea, type Document, type UserRef } from './document.ts';

/** What the user areas made of a record. */
interface AppliedRecord {
  readonly occasion: Occasion;
  readonly sink: EffectList;
  /** null: nobody asked for them. */
  readonly sections: Sections | null;
  readonly rows: readonly Rows[];
}

export interface DraftedRecord {
  readonly applied: AppliedRecord;
  readonly draft: Draft;
  /** The record's place among those that were applied to the draft. */
  readonly place: number;
}

/**
 * Applies a record to the user's draft, which is cloned from their document when the batch first touches it.
 * @returns null if an area threw: then the user's document is as it was before the record
 */
export function applyToDraft(
  areas: readonly AnyDraftedArea[],
  batch: Batch,
  user: UserRef,
  record: UserRecord,
  configuration: Configuration,
  wantsSections: boolean,
): DraftedRecord | null {
  const key = userKey(user);
  let changed = batch.users.get(key);
  try {
    if (!changed?.draft) changed = openDraft(areas, batch, user, batch.documentOf(key) as Document, configuration);
    const draft = changed.draft as Draft;
    const applied = applyAreas(areas, changed.document, record, configuration, wantsSections);
    const place = draft.applied.push({ record, configuration }) - 1;
    changed.configuration = configuration;
    batch.undated.add(changed);
    return { applied, draft, place };
  } catch {
    if (changed?.draft) undo(areas, batch, changed, changed.draft);
    return null;
  }
}

/** The record as services hand it on. Without its sections it is applied once more: nobody asked for them until something failed. */
export function messageOf(areas: readonly AnyDraftedArea[], { applied, draft, place }: DraftedRecord): ChainMessage {
  const { record, configuration } = draft.applied[place] as UserEvent;
  if (applied.sections !== null) return { record, ...applied.sections };
  const document = replay(areas, draft, place);
  return { record, ...applyAreas(areas, document, record, configuration, true).sections };
}

function openDraft(
  areas: readonly AnyDraftedArea[],
  batch: Batch,
  user: UserRef,
  origin: Document,
  configuration: Configuration,
): ChangedUser {
  const document = cloneOf(areas, origin, configuration);
  return batch.setDocument(user, document, configuration, { origin, applied: [] });
}

const cloneOf = (areas: readonly AnyDraftedArea[], document: Document, configuration: Configuration): Document =>
  areas.map((area, index) => area.draft(document[index], configuration));

function applyAreas(
  areas: readonly AnyDraftedArea[],
  document: Document,
  record: UserRecord,
  configuration: Configuration,
  wantsSections: boolean,
): AppliedRecord {
  const fired = wantsSections ? new FiredSystems() : null;
  const sink = new EffectList(fired);
  const occasion = occasionOf({ record }, configuration);
  for (let index = 0; index < areas.length; index++)
    (areas[index] as AnyDraftedArea).apply(document[index], occasion, configuration, sink);
  const applied = { occasion, effects: sink.effects, configuration, fired: fired?.systems ?? NONE };
  const sections = wantsSections ? sectionsOf(areas, document, applied) : null;
  const rows = areas.map((area, index) => area.rows(document[index], applied, sections?.[area.name] ?? null));
  return { occasion, sink, sections, rows };
}

function sectionsOf(areas: readonly AnyDraftedArea[], document: Document, applied: AppliedOccasion): Sections {
  const sections: Record<string, unknown> = {};
  for (let index = 0; index < areas.length; index++) {
    const area = areas[index] as AnyDraftedArea;
    sections[area.name] = area.section(document[index], applied);
  }
  return sections;
}

/** A draft is half written once an area has thrown. */
function undo(areas: readonly AnyDraftedArea[], batch: Batch, changed: ChangedUser, draft: Draft): void {
  batch.setDocument(changed, replay(areas, draft, draft.applied.length), changed.configuration);
}

/** The document as the first records had left it that were applied to the draft. */
function replay(areas: readonly AnyDraftedArea[], { origin, applied }: Draft, records: number): Document {
  const first = applied[0];
  if (first === undefined) return origin;
  const document = cloneOf(areas, origin, first.configuration);
  for (const { record, configuration } of applied.slice(0, records))
    applyAreas(areas, document, record, configuration, false);
  return document;
}

const NONE: ReadonlySet<string> = new Set();
