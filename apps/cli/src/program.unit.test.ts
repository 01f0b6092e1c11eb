import type { Command, Option } from 'commander';
import { PROCESS } from './command-context.ts';
import { laurelProgram } from './program.ts';
import { runCommand } from './testing/run-command.ts';
import { releaseVersion } from './version.ts';

interface Named {
  readonly words: readonly string[];
  readonly command: Command;
}

const commandsOf = (command: Command, words: readonly string[] = []): Named[] =>
  command.commands.flatMap((child) => {
    const path = [...words, child.name()];
    return [{ words: path, command: child }, ...commandsOf(child, path)];
  });

const program = () => laurelProgram(PROCESS);
const ALL = commandsOf(program());
const LEAVES = ALL.filter(({ command }) => command.commands.length === 0);
const named = (all: readonly Named[]) => all.map((one) => [one.words.join(' '), one] as const);

describe('the command line', () => {
  it('has the documented commands', () => {
    expect(ALL.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining([
        ...['status', 'rebuild', 'verify', 'digest', 'state', 'import', 'keys'],
        ...['keys create', 'keys list', 'keys revoke'],
      ]),
    );
  });

  it.each(named(LEAVES))('describes `%s` with its exit codes and a valid example', async (_, one) => {
    const { exitCode, stdout, stderr } = await runCommand([...one.words, '--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(one.command.description()).toMatch(/^[A-Z].*\.$/s);
    expect(stdout).toMatch(/\nExit codes:\n {2}0 .*\n(.*\n)* {2}2 .*\n(.*\n)* {2}130 /);
    const examples = [...stdout.matchAll(/^ {2}npx laurel (.*)$/gm)].map(([, words]) => words ?? '');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example.startsWith(one.words.join(' '))).toBe(true);
      expect(() => parsed(one.words, example)).not.toThrow();
    }
  });

  it.each(named(LEAVES))('says for every option of `%s` with a value what the default is', (_, { command }) => {
    for (const option of command.options.filter(takesValue)) {
      expect(option.mandatory || option.defaultValue !== undefined || /default/.test(option.description)).toBe(true);
      if (option.mandatory) expect(option.description).toContain('required');
    }
  });

  it('prints the table of exit codes, and its release with --version', async () => {
    const { exitCode, stdout } = await runCommand(['--help']);
    expect(exitCode).toBe(0);
    for (const code of ['0', '1', '2', '130']) expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
    expect(await runCommand(['--version'])).toMatchObject({ exitCode: 0, stdout: `${releaseVersion()}\n` });
    expect(releaseVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each([
    ['an unknown command', ['statsu'], /unknown command 'statsu'\n\(Did you mean status\?\)/],
    ['an unknown command of a command', ['keys', 'lst'], /unknown command 'lst'\n\(Did you mean list\?\)/],
    ['an unknown option', ['status', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    ['a missing argument', ['import'], /missing required argument 'file'/],
    ['too many arguments', ['status', 'now'], /too many arguments for 'status'/],
    ['nothing', [], /Usage: laurel/],
    ['half a command', ['keys'], /Usage: laurel keys/],
  ])('exits with 2 and a hint for %s', async (_, words, expected) => {
    const { exitCode, stdout, stderr } = await runCommand(words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
    expect(stderr).toMatch(/--help/);
  });

  it('names every invalid environment variable and prints no secret', async () => {
    const variables = { LAUREL_CLOCK: 'noon', LAUREL_API_KEY: 'short' };
    const { exitCode, stderr } = await runCommand(['status'], { variables });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/LAUREL_API_KEY must have[\s\S]*LAUREL_CLOCK must be/);
    expect(stderr).not.toContain('short');
  });

  it('refuses a misspelled variable before it does anything', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['config', 'schema'], {
      variables: { LAUREL_CONFG: 'x.yaml' },
    });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe('laurel: LAUREL_CONFG is unknown; did you mean LAUREL_CONFIG? Rename it, or unset it\n');
  });

  it('warns of any other unknown variable and continues', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['config', 'schema'], {
      variables: { LAUREL_COLOUR: 'red' },
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('$schema')]);
    expect(stderr).toBe('laurel: warning: LAUREL_COLOUR is unknown to this release and has no effect\n');
  });

  it('never echoes control characters', async () => {
    const { stderr } = await runCommand(['status', '--url', '\u001b]0;x\u0007\u202e', '--api-key', 'k'.repeat(24)]);
    expect(stderr).toContain('\\u{1b}]0;x\\u{7}\\u{202e}');
  });
});

const takesValue = (option: Option): boolean => option.required || option.optional;

/** Parses an example without carrying it out. */
function parsed(words: readonly string[], example: string): void {
  const [line = ''] = example.split(' > ');
  const leaf = commandsOf(program()).find((one) => one.words.join(' ') === words.join(' '))?.command;
  const rest = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole).slice(words.length);
  if (!leaf) throw new Error(`no command ${words.join(' ')}`);
  leaf.action(() => undefined).parse(rest, { from: 'user' });
}
