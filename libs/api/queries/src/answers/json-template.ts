import { ExactNumber, writeJson } from '@laurel/schemas';

/** Writes an object; takes the JSON texts of the fields that change, in the order in which they were named. */
export type JsonTemplate = (...values: readonly string[]) => string;

/** JSON text holds no NUL: it is escaped within strings. */
const MARK = '\0';

/**
 * An object's JSON text, written once, with gaps for the fields that change.
 * @param compose makes the object, each gap in the place of a value; it must take the gaps over as they are
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
