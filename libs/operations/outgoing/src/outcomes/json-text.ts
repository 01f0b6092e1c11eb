import { writeJson } from '@laurel/schemas';

/** A value that has already been serialized. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Serializes the members of an object, without its braces. Only a direct member may be a `JsonText`. */
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
 * Serializes objects whose first members describe a definition, such as a board. Each definition is serialized once.
 * @param fieldsOf the members that describe a definition
 * @returns a function of a definition and at least one further member
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
