import { jsonInteger, writeJson } from '@laurel/schemas';
import { beginningWith, JsonText, writeMembers } from './json-text.ts';

const EXACT = jsonInteger(2n ** 70n);

describe('writeMembers', () => {
  it('writes the members of an object as JSON does', () => {
    for (const value of [
      {},
      { a: 1 },
      { 'a "b"': null, c: undefined, d: [EXACT, { e: 'é\u0000' }], __proto__: 3, f: EXACT },
    ])
      expect(`{${writeMembers(value)}}`).toBe(writeJson(value));
  });

  it('inserts members that are already serialized', () => {
    expect(writeMembers({ a: new JsonText('{"b":1}'), c: 2 })).toBe('"a":{"b":1},"c":2');
  });
});

describe('beginningWith', () => {
  const definitions = [{ key: 'weekly' }, { key: 'daily "best"' }];

  it('writes the JSON of the definition and the other fields', () => {
    const fieldsOf = ({ key }: { readonly key: string }) => ({ key, max: EXACT });
    const joined = beginningWith(fieldsOf);
    for (const definition of [...definitions, ...definitions])
      for (const rest of [{ rank: 1 }, { rank: null, rankings: [{ value: EXACT }] }])
        expect(joined(definition, rest).text).toBe(writeJson({ ...fieldsOf(definition), ...rest }));
  });

  it('serializes each definition once', () => {
    let shown = 0;
    const joined = beginningWith(({ key }: { readonly key: string }) => ({ key, shown: ++shown }));
    for (const definition of [...definitions, ...definitions]) joined(definition, { rank: 1 });
    expect(shown).toBe(2);
  });
});
