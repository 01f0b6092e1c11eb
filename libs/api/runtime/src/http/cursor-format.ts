/** How a list writes a place in it. Callers cannot rely on the form. */
export interface CursorFormat<Place> {
  readonly write: (place: Place) => string;
  /** null: it is no cursor of this list. */
  readonly read: (cursor: string) => Place | null;
}

/** @param pattern of the text that `write` makes; `read` gets its groups */
export const cursorFormat = <Place>(
  pattern: RegExp,
  read: (groups: readonly string[]) => Place | null,
  write: (place: Place) => string,
): CursorFormat<Place> => ({
  write: (place) => Buffer.from(write(place)).toString('base64url'),
  read: (cursor) => {
    const found = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
    return found === null ? null : read(found.slice(1));
  },
});

/** A place that is a number. @param digits of the largest one */
export const numberCursor = (list: string, digits: number): CursorFormat<number> =>
  cursorFormat(
    new RegExp(`^${list}:(\\d{1,${digits}})$`),
    ([place]) => Number(place),
    (place) => `${list}:${place}`,
  );
