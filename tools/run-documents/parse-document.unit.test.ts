// The tools have no types: what they take and give is in their comments.
const { parseDocument, piecesOf } = await import(new URL('./parse-document.mjs', import.meta.url).href);

const block = (language: string, ...lines: string[]) => ['```' + language, ...lines, '```'].join('\n');
const documentOf = (...parts: string[]) => parseDocument(parts.join('\n\n'));

describe('a parsed document', () => {
  it('contains commands and the output after them', () => {
    const { steps } = documentOf('# Title', block('sh', 'echo one', 'echo two'), block('text', 'one', 'two'));
    expect(steps).toEqual([
      {
        type: 'commands',
        line: 4,
        language: 'sh',
        text: 'echo one\necho two\n',
        exits: 0,
        output: { line: 9, language: 'text', text: 'one\ntwo\n' },
      },
    ]);
  });

  it('has an output only directly after commands, or after a comment that says so', () => {
    const shown = block('json', '{}');
    const behindProse = documentOf(block('sh', 'curl x'), 'The answer is short:', shown);
    expect(behindProse.steps[0].output).toBeNull();
    expect(behindProse.unused).toMatchObject([{ line: 8, language: 'json' }]);
    const marked = documentOf(block('sh', 'curl x'), 'The answer is short:', '<!-- output -->', shown);
    expect(marked.steps[0].output).toMatchObject({ text: '{}\n' });
    expect(documentOf(block('sh', 'curl x'), shown, shown).unused).toHaveLength(1);
  });

  it('contains files named by the line before a block of their type', () => {
    const { steps } = documentOf(
      'Your own is one YAML file. A complete one,\n`laurel.yaml`:',
      block('yaml', 'version: 1'),
      'One object a line, in `history.ndjson` (or `.ndjson.gz`):',
      block('ndjson', '{}'),
    );
    expect(steps).toMatchObject([
      { type: 'file', name: 'laurel.yaml', text: 'version: 1\n' },
      { type: 'file', name: 'history.ndjson', text: '{}\n' },
    ]);
  });

  it('may show excerpts, which are not files', () => {
    expect(documentOf('In `laurel.yaml`, say', block('yaml', 'a: 1'), 'or:', block('yaml', 'b: 1')).steps).toEqual([]);
  });

  it('may state that it runs every command, and then its prose may contain no other', () => {
    const prose = 'Ask `why ada streak`, `--run DATE` or `GET /v1/points`, and `laurel event ID`.';
    expect(documentOf(prose, block('sh', 'laurel event ID')).steps).toHaveLength(1);
    const every = '<!-- every command is run -->';
    expect(() => documentOf(every, prose)).toThrow('line 3: `laurel event ID` is not run');
    expect(documentOf(every, 'Ask `why ada streak`.', block('sh', 'laurel event `cat id`')).steps).toHaveLength(1);
  });

  it('says what is not run and why, and the output of that belongs to no other command', () => {
    const { steps, unused } = documentOf(
      block('sh', 'echo before'),
      '<!-- not run: needs systemd -->',
      block('sh', 'systemctl start laurel'),
      block('text', 'started'),
    );
    expect(steps).toMatchObject([
      { type: 'commands', output: null },
      { type: 'skipped', reason: 'needs systemd', text: 'systemctl start laurel\n' },
    ]);
    expect(unused).toEqual([]);
  });

  it('says with which code commands fail and which clock the document uses', () => {
    const { clock, steps } = documentOf(
      '<!-- clock: 2026-11-21T09:30:00Z -->',
      '<!-- exits with 1 -->',
      block('sh', 'false'),
      block('sh', 'true'),
    );
    expect(clock).toBe('2026-11-21T09:30:00Z');
    expect(steps).toMatchObject([{ exits: 1 }, { exits: 0 }]);
  });

  it('may have indented blocks in lists', () => {
    const { steps } = parseDocument('1. First:\n\n   ```sh\n   cat <<END\n     in\n   END\n   ```\n');
    expect(steps[0].text).toBe('cat <<END\n  in\nEND\n');
  });

  it('is refused when a block never ends or its commands are not in sh', () => {
    expect(() => parseDocument('text\n```sh\necho')).toThrow('line 2');
    expect(() => documentOf(block('console', '$ ls'))).toThrow('blocks of sh');
  });
});

describe('the pieces of a block of commands', () => {
  it('contain the commands as written, with start and stop of the service apart', () => {
    const text = ['export A=1', 'for x in 1 2; do', '  echo $x', 'done', 'npm start', 'curl x', '# Ctrl-C there', 'ls'];
    expect(piecesOf(`${text.join('\n')}\n`)).toEqual([
      { type: 'run', text: 'export A=1\nfor x in 1 2; do\n  echo $x\ndone\n' },
      { type: 'start', command: 'npm start' },
      { type: 'run', text: 'curl x\n' },
      { type: 'stop' },
      { type: 'run', text: 'ls\n' },
    ]);
  });

  it('include a start of the service with variables, several lines or a comment', () => {
    const command = 'A=1 \\\n  LAUREL_DATA_DIR=/x npm start';
    expect(piecesOf(`${command}   # in a second terminal\n`)).toEqual([{ type: 'start', command }]);
    expect(piecesOf('npm run start &\n')).toEqual([{ type: 'start', command: 'npm run start' }]);
    expect(piecesOf('npm start --prefix x\n')).toMatchObject([{ type: 'run' }]);
  });

  it('are empty for a block of comments', () => {
    expect(piecesOf('# nothing\n\n')).toEqual([]);
  });
});
