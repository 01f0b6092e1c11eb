import type { CorrectionsOfEventAnswer } from '@laurel/schemas';
import { plainText } from '../plain-text.ts';

/** The corrections of an event as lines: first the result, then each correction. */
export function correctedLines(corrected: CorrectionsOfEventAnswer | null): string[] {
  if (corrected === null) return [];
  const { retracted, value, occurredAt, tz, corrections } = corrected;
  const changes = [
    ...(value === undefined ? [] : [`value ${value.original} -> ${value.present}`]),
    ...(occurredAt === undefined ? [] : [`instant ${occurredAt.original} -> ${occurredAt.present}`]),
    ...(tz === undefined ? [] : [`zone ${plainText(tz.original ?? 'none')} -> ${plainText(tz.present)}`]),
  ];
  return [
    ...(changes.length === 0 ? [] : [`amended: ${changes.join(', ')}`]),
    ...(retracted ? ['retracted: it does not count'] : []),
    ...corrections.map(
      ({ eventId, at, by, reason }) =>
        `corrected ${at} by ${plainText(by ?? 'somebody')}${reason === null ? '' : ` (${plainText(reason)})`}: event ${plainText(eventId)}`,
    ),
  ];
}

/** The corrections of an event in one word. */
export const correctedWord = (corrected: CorrectionsOfEventAnswer | null): string | undefined => {
  if (corrected === null) return undefined;
  return corrected.retracted ? 'retracted' : 'amended';
};
