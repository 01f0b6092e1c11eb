import { ExactNumber, writeJson } from '@laurel/schemas';

/** Writes an object from the JSON texts of its changing fields, in the order in which they were named. */
export type JsonTemplate = (...values: readonly string[]) => string;

/** JSON text contains no NUL, because strings escape it. */
const MARK = '\0';

/**
 * Writes the JSON text of an object once, with gaps for the changing fields.
 * @param compose makes the object from the gaps, which take the place of values; it must keep them unchanged
 */
export function jsonTemplate<Name extends string>(
  names: readonly Name[],
  compose: (gaps: Readonly<Record<Name, never>>) => object,
): JsonTemplate {
  const gaps = Object.fromEntries(names.map((name) => [name, new ExactNumber(MARK + name + MARK)]));
  const [head = '', ...rest] = writeJson(compose(gaps as Readonly<Record<Name, never>>)).split(MARK);
  const places = rest.filter((_, index) => index % 2 === 0).map((name) => names.indexOf(name as Name));
  const tails = rest.filter((_, index) => index % 2 === 1);
  return (...values) => {
    let text = head;
    for (let index = 0; index < tails.length; index++)
      text += (values[places[index] as number] as string) + tails[index];
    return text;
  };
}
