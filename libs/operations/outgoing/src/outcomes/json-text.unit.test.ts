import { jsonInteger, writeJson } from '@laurel/schemas';
import { beginningWith, JsonText, writeMembers } from './json-text.ts';

const EXACT = jsonInteger(2n ** 70n);

describe('members of a body', () => {
  it('are written like the members of an object', () => {
    for (const value of [
      {},
      { a: 1 },
      { 'a "b"': null, c: undefined, d: [EXACT, { e: 'é\u0000' }], __proto__: 3, f: EXACT },
    ])
      expect(`{${writeMembers(value)}}`).toBe(writeJson(value));
  });

  it('may be serialized already', () => {
    expect(writeMembers({ a: new JsonText('{"b":1}'), c: 2 })).toBe('"a":{"b":1},"c":2');
  });
});

describe('an object that begins with a definition', () => {
  const definitions = [{ key: 'weekly' }, { key: 'daily "best"' }];

  it('is the JSON of both together', () => {
    const fieldsOf = ({ key }: { readonly key: string }) => ({ key, max: EXACT });
    const joined = beginningWith(fieldsOf);
    for (const definition of [...definitions, ...definitions])
      for (const rest of [{ rank: 1 }, { rank: null, rankings: [{ value: EXACT }] }])
        expect(joined(definition, rest).text).toBe(writeJson({ ...fieldsOf(definition), ...rest }));
  });

  it('serializes the definition once', () => {
    let shown = 0;
    const joined = beginningWith(({ key }: { readonly key: string }) => ({ key, shown: ++shown }));
    for (const definition of [...definitions, ...definitions]) joined(definition, { rank: 1 });
    expect(shown).toBe(2);
  });
});
