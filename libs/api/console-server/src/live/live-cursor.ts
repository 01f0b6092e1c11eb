/** A position of the log as watchers keep it. */
export const cursorAt = (position: number): string => Buffer.from(`live:${position}`).toString('base64url');

/** undefined: it is no cursor. */
export function positionIn(cursor: string): number | undefined {
  const [, digits] = /^live:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
