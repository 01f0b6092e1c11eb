import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The tools have no types: what they take and give is in their comments.
const { readmeTestCommand } = await import(new URL('./readme-test-command.mjs', import.meta.url).href);

const block = (text: string, mark = '<!-- not run: it takes long -->\n\n') => `${mark}\`\`\`sh\n${text}\n\`\`\`\n`;

describe('readmeTestCommand', () => {
  it('returns the block of README that runs the tests', () => {
    const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
    expect(readmeTestCommand(readme)).toBe('npm test\n');
  });

  it('returns the block word for word, including everything around the command', () => {
    const text = 'npm ci\nnpm run build\nnpm test -- libs   # takes long';
    expect(readmeTestCommand(`${block('npm start', '')}\n${block(text)}`)).toBe(`${text}\n`);
  });

  it('requires exactly one such block, marked as not run with the documents', () => {
    expect(() => readmeTestCommand(block('npm run testing-ground'))).toThrow(
      'README.md has 0 blocks that run the tests',
    );
    expect(() => readmeTestCommand(block('npm test', ''))).toThrow('README.md has 0 blocks');
    expect(() => readmeTestCommand(`${block('npm test')}\n${block('npm run test')}`)).toThrow('README.md has 2 blocks');
  });
});
