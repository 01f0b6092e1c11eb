import { writeJson } from '@laurel/contracts';

/** A value of a body that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an object, without its braces. A `JsonText` counts as such among `value`'s own members alone, not below them. */
export function writeMembers(value: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const written = member instanceof JsonText ? member.text : writeJson(member);
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${written}`;
  }
  return text;
}

/**
 * Objects that begin as a definition is shown everywhere, which is written once for each definition.
 * @param fieldsOf how a definition is shown
 * @returns the object of a definition, with further members behind it: one at least
 */
export function beginningWith<Definition extends object>(
  fieldsOf: (definition: Definition) => object,
): (definition: Definition, rest: object) => JsonText {
  const written = new WeakMap<Definition, string>();
  return (definition, rest) => {
    let beginning = written.get(definition);
    if (beginning === undefined) written.set(definition, (beginning = writeJson(fieldsOf(definition)).slice(0, -1)));
    return new JsonText(`${beginning},${writeJson(rest).slice(1)}`);
  };
}
