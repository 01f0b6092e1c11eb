/* eslint-disable no-template-curly-in-string -- so are variables written there */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { readDockerfile } = await import(new URL('./dockerfile.mjs', import.meta.url).href);
const { buildStage } = await import(new URL('./build-stage.mjs', import.meta.url).href);

const folder = mkdtempSync(join(tmpdir(), 'build-stage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const context = join(folder, 'context');
mkdirSync(join(context, 'apps/cli'), { recursive: true });
writeFileSync(join(context, 'package.json'), '{}');
writeFileSync(join(context, 'secret'), 'not sent');
writeFileSync(join(context, 'apps/cli/a.js'), 'a');

let count = 0;
/** The last stage of a Dockerfile, after those before it. */
function build(lines: readonly string[], given: Record<string, string> = {}) {
  const { globals, stages } = readDockerfile(lines.join('\n'));
  const built = new Map();
  let last;
  for (const stage of stages) {
    last = buildStage(stage, {
      root: join(folder, String(count++)),
      globals,
      arguments: new Map(Object.entries(given)),
      context: { folder: context, files: ['package.json', 'apps/cli/a.js'] },
      stages: built,
      node: process.execPath,
      say: () => undefined,
    });
    built.set(stage.name, last);
  }
  const { root } = last;
  return {
    image: last,
    has: (path: string) => existsSync(join(root, path)),
    text: (path: string) => readFileSync(join(root, path), 'utf8'),
  };
}

describe('a stage that is carried out', () => {
  it('begins empty, and gets what is sent to the builder and nothing else', () => {
    const { has } = build(['FROM node:20', 'WORKDIR /build', 'COPY . .']);
    expect([has('build/package.json'), has('build/apps/cli/a.js'), has('build/secret')]).toEqual([true, true, false]);
  });

  it('takes a folder’s content, a file under its name, and a file into a folder', () => {
    const { has } = build([
      'FROM node:20',
      'COPY apps ./src',
      'COPY package.json ./p.json',
      'COPY package.json ./kept/',
    ]);
    expect([has('src/cli/a.js'), has('p.json'), has('kept/package.json')]).toEqual([true, true, true]);
  });

  it('refuses to copy what is not sent', () => {
    expect(() => build(['FROM node:20', 'COPY secret ./'])).toThrow(
      'docker/Dockerfile:2: secret is not sent to the builder',
    );
  });

  it('copies from a stage before it, links as links', () => {
    symlinkSync('package.json', join(context, 'link'));
    const lines = [
      'FROM node:20 AS a',
      'WORKDIR /out',
      'COPY package.json .',
      'RUN ln -s package.json link',
      'FROM node:20',
      'COPY --from=a /out /app',
    ];
    const { image, text } = build(lines);
    expect(lstatSync(join(image.root, 'app/link')).isSymbolicLink()).toBe(true);
    expect(text('app/link')).toBe('{}');
    expect(() => build(['FROM node:20', 'COPY --from=b /x /y'])).toThrow('there is no stage b before');
  });

  it('runs commands in its folder, with its arguments and variables and none of ours', () => {
    process.env['LAUREL_OF_OURS'] = 'ours';
    const { text } = build(
      [
        'FROM node:20',
        'ARG APP=cli',
        'ENV MODE=x-${APP}',
        'WORKDIR /w',
        'RUN echo "$APP $MODE $LAUREL_OF_OURS." > out',
      ],
      { APP: 'points' },
    );
    delete process.env['LAUREL_OF_OURS'];
    expect(text('w/out')).toBe('points x-points .\n');
  });

  it('stops at a command that fails, and shows what it printed', () => {
    expect(() => build(['FROM node:20', 'RUN echo why; exit 3'])).toThrow(/Dockerfile:2: RUN .*: 3\nwhy/);
  });

  it('says how the image is started', () => {
    const { image } = build([
      'FROM node:20',
      'WORKDIR /app',
      'ENV A=1',
      'USER 5:6',
      'ENTRYPOINT ["node"]',
      'CMD ["main.js"]',
    ]);
    expect(image).toMatchObject({
      workdir: '/app',
      user: { uid: 5, gid: 6 },
      entrypoint: ['node'],
      command: ['main.js'],
    });
    expect([...image.environment]).toEqual([['A', '1']]);
  });
});
