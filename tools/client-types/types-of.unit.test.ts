// The tools have no types: what they take and give is in their comments.
const { typesOf } = (await import(new URL('./types-of.mjs', import.meta.url).href)) as {
  typesOf: (document: object) => string;
};

const documentOf = (schemas: object, paths: object = {}, components: object = {}) => ({
  paths,
  webhooks: {},
  components: { schemas, ...components },
});
/** As they stand in the types, each on one line. */
const typeOf = (schema: object): string => {
  const [, type = ''] =
    /schemas: \{\n(?:\/\*\* .*\n)?It: ([^]*?);\n\};\nresponses: /.exec(typesOf(documentOf({ It: schema }))) ?? [];
  return type.replace(/\n/g, ' ');
};

describe('the type of a schema', () => {
  it.each([
    [{}, 'unknown'],
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['boolean', 'null'] }, 'boolean | null'],
    [{ $ref: '#/components/schemas/User' }, "components['schemas']['User']"],
    [{ enum: ['a', "it's"], type: 'string' }, String.raw`'a' | 'it\'s'`],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ oneOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, "components['schemas']['A'] | null"],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: ['array', 'null'], items: { type: 'string' } }, '(string)[] | null'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, {}], items: { type: 'null' } }, '[string, unknown]'],
    [{ type: 'object' }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: {} }, '{ [key: string]: unknown; }'],
    [
      { type: 'object', properties: { a: { const: 1 }, 'b-c': {} }, required: ['b-c'], additionalProperties: false },
      "{ /** @constant */ a?: 1; 'b-c': unknown; }",
    ],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
      '{ a?: unknown; } & { [key: string]: string; }',
    ],
  ])('follows from %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('is not guessed when a keyword is unknown', () => {
    expect(() => typeOf({ allOf: [{ type: 'string' }] })).toThrow(
      'no type can be made of {"allOf":[{"type":"string"}]}',
    );
  });
});

describe('the documentation comment of a type', () => {
  const fieldOf = (field: object) => typesOf(documentOf({ It: { type: 'object', properties: { field } } }));

  it('contains description, format and examples, on one line when there is only a description', () => {
    expect(fieldOf({ description: 'Its name.' })).toContain('{\n/** @description Its name. */\nfield?: unknown;\n}');
    expect(fieldOf({ type: 'string', format: 'uuid', deprecated: true, description: 'Two\nlines.' })).toContain(
      '/**\n * Format: uuid\n * @deprecated\n * @description Two\n *     lines.\n */\nfield?: string;',
    );
    expect(fieldOf({ type: 'string', enum: ['a'], default: 'a', examples: [['*/']] })).toContain(
      '/**\n * @default a\n * @example [\n *       "*\\/"\n *     ]\n * @enum {string}\n */\n',
    );
  });
});

describe('the types of an operation', () => {
  const json = { schema: { $ref: '#/components/schemas/It' } };
  const types = typesOf(
    documentOf(
      { It: { type: 'string' } },
      {
        '/its/{id}': {
          put: {
            ...{ operationId: 'putIt', summary: 'Put it' },
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } },
            ],
            requestBody: { required: false, content: { 'application/json': json, 'text/csv': {} } },
            responses: {
              200: { description: 'It.', content: { 'text/csv': {} } },
              404: { $ref: '#/components/responses/No' },
            },
          },
        },
      },
      {
        responses: { No: { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } },
        headers: { 'Retry-After': json },
      },
    ),
  ).replace(/\n/g, ' ');

  it('are found by its path and method', () => {
    expect(types).toContain("get?: never; /** Put it */ put: operations['putIt']; post?: never;");
  });

  it('list its required parameters and prefer JSON bodies', () => {
    expect(types).toContain(
      "putIt: { parameters: { query?: never; header?: { 'If-Match'?: string; }; path: { id: string; }; cookie?: never; }; " +
        "requestBody?: { content: { 'application/json': components['schemas']['It']; }; }; " +
        "responses: { /** @description It. */ 200: { headers: { [name: string]: unknown; }; content: { 'text/csv': unknown; }; }; " +
        "404: components['responses']['No']; }; };",
    );
  });

  it('include an alias for each component', () => {
    for (const alias of [
      "export type It = components['schemas']['It'];",
      "export type ResponseNo = components['responses']['No'];",
      "export type HeaderRetryAfter = components['headers']['Retry-After'];",
    ])
      expect(types).toContain(alias);
    expect(types).toContain(
      "No: { headers: { 'Retry-After': components['headers']['Retry-After']; [name: string]: unknown; }; content?: never; };",
    );
  });
});
