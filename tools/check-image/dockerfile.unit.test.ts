/* eslint-disable no-template-curly-in-string -- so are variables written there */
// The tools have no types: what they take and give is in their comments.
const { readDockerfile, substitute } = await import(new URL('./dockerfile.mjs', import.meta.url).href);

const stagesOf = (...lines: string[]) => readDockerfile(lines.join('\n')).stages;
const stepOf = (line: string) => stagesOf('FROM node:20', line)[0].steps[0];
const reading = (...lines: string[]) => {
  return () => stagesOf(...lines);
};

describe('a Dockerfile', () => {
  it('is read as stages and their steps, with their lines', () => {
    const { globals, stages } = readDockerfile(
      [
        'ARG NODE=20',
        'FROM node:${NODE} AS build',
        '# why',
        'RUN npm ci \\',
        '  --no-audit',
        'FROM node:20',
        'USER 1000:1000',
      ].join('\n'),
    );
    expect(globals).toEqual(new Map([['NODE', '20']]));
    expect(stages).toMatchObject([
      { name: 'build', from: 'node:${NODE}', line: 2, steps: [{ type: 'run', line: 4 }] },
      { name: null, from: 'node:20', line: 6, steps: [{ type: 'user', uid: 1000, gid: 1000, line: 7 }] },
    ]);
    expect(stages[0].steps[0].command).toMatch(/^npm ci \\\n\s+--no-audit$/);
  });

  it('says what is copied, from where and to where', () => {
    expect(stepOf('COPY --from=build /a /b ./c/')).toMatchObject({
      type: 'copy',
      from: 'build',
      sources: ['/a', '/b'],
      destination: './c/',
    });
  });

  it('says what the image starts, and how its health is asked for', () => {
    expect(stepOf('ENTRYPOINT ["node", "--flag"]')).toMatchObject({ type: 'entrypoint', argv: ['node', '--flag'] });
    expect(stepOf('CMD ["main.js"]')).toMatchObject({ type: 'cmd', argv: ['main.js'] });
    const { argv, flags } = stepOf('HEALTHCHECK --interval=10s --retries=3 CMD ["node", "ready.mjs"]');
    expect(argv).toEqual(['node', 'ready.mjs']);
    expect([...flags]).toEqual([
      ['interval', '10s'],
      ['retries', '3'],
    ]);
  });

  it.each([
    ['ADD https://example.com/x /x', /line 2: ADD is not known here/],
    ['VOLUME /data', /VOLUME is not known here/],
    ['SHELL ["/bin/bash", "-c"]', /SHELL is not known here/],
    ['ONBUILD RUN npm ci', /ONBUILD is not known here/],
    ['COPY --chown=1000 . .', /--chown is not known here/],
    ['COPY *.json ./', /no patterns/],
    ['COPY .', /needs a source and a destination/],
    ['RUN --mount=type=cache,target=x npm ci', /--mount is not known here/],
    ['RUN ["npm", "ci"]', /has the shell form here/],
    ['RUN rm -rf /tmp/x', /no absolute path/],
    ['RUN X=/etc/passwd cat "$X"', /no absolute path/],
    ['RUN cat <<END\nhello\nEND', /here-document/],
    ['USER node', /in numbers/],
    ['USER 1000', /in numbers/],
    ['CMD node main.js', /exec form/],
    ['ENTRYPOINT node', /exec form/],
    ['HEALTHCHECK CMD curl localhost', /CMD \["…"\]/],
    ['HEALTHCHECK NONE', /CMD \["…"\]/],
    ['HEALTHCHECK --start-interval=1s CMD ["x"]', /--start-interval is not known here/],
    ['ARG A=1 B=2', /one argument/],
    ['WORKDIR a b', /one word/],
  ])('is refused where it says %j', (line, why) => {
    expect(reading('FROM node:20', line)).toThrow(why);
  });

  it('is refused without a stage, or with steps before the first', () => {
    expect(reading('ARG A=1')).toThrow('no FROM');
    expect(reading('RUN npm ci', 'FROM node:20')).toThrow('line 1: RUN stands before the first FROM');
    expect(reading('# escape=`', 'FROM node:20')).toThrow('parser directives');
  });
});

describe('variables of a Dockerfile', () => {
  const values = new Map([['APP', 'cli']]);

  it('are put in by their value', () => {
    expect(substitute('/out/${APP}/x', values)).toBe('/out/cli/x');
  });

  it('must have one, and be written in braces', () => {
    expect(() => substitute('${OTHER}', values)).toThrow('${OTHER} has no value');
    for (const text of ['$APP', '${APP:-x}', '${APP', '\\$'])
      expect(() => substitute(text, values)).toThrow('only ${NAME}');
  });
});
