import type { UserCommand, CommandResult } from '@laurel/kernel';
import type { CommandStream } from '@laurel/ports';
import { refused } from '@laurel/engine';
import { StreamTurns } from './stream-turns.ts';

const COMMANDS = [{}, {}] as unknown as readonly UserCommand[];
const RECORDED = { kind: 'recorded' } as CommandResult;

describe('the calls of one stream', () => {
  it('wait for each other, but not for those of another stream', async () => {
    const turns = new StreamTurns();
    const [stream, other]: CommandStream[] = [{ interrupted: false }, { interrupted: false }];
    const log: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const call = (of: CommandStream, name: string, after: Promise<void> = Promise.resolve()) =>
      turns.inTurn(of, COMMANDS, async () => {
        log.push(`${name} begins`);
        await after;
        log.push(`${name} ends`);
        return [RECORDED];
      });
    const first = call(stream as CommandStream, 'first', held);
    const second = call(stream as CommandStream, 'second');
    await call(other as CommandStream, 'other');
    expect(log).toEqual(['first begins', 'other begins', 'other ends']);
    release();
    await Promise.all([first, second]);
    expect(log.slice(3)).toEqual(['first ends', 'second begins', 'second ends']);
  });

  it('are refused after an interrupted or failed one until the caller continues', async () => {
    const turns = new StreamTurns();
    const stream: CommandStream = { interrupted: false };
    let taken = 0;
    const call = (outcome: () => CommandResult) =>
      turns.inTurn(stream, COMMANDS, async () => {
        taken++;
        return [RECORDED, outcome()];
      });
    const overloaded = call(() => refused('overloaded', null));
    const behind = call(() => RECORDED);
    expect(await overloaded).toMatchObject([{ kind: 'recorded' }, { reason: 'overloaded' }]);
    expect(await behind).toMatchObject([{ reason: 'unavailable' }, { reason: 'unavailable' }]);
    expect([taken, stream.interrupted]).toEqual([1, true]);
    stream.interrupted = false;
    const failed = call(() => {
      throw new Error('a bug');
    });
    const next = call(() => RECORDED);
    await expect(failed).rejects.toThrow('a bug');
    expect(await next).toMatchObject([{ reason: 'unavailable' }, { reason: 'unavailable' }]);
    stream.interrupted = false;
    expect(await call(() => RECORDED)).toEqual([RECORDED, RECORDED]);
  });

  it('continue after a command that is refused for its own content', async () => {
    const turns = new StreamTurns();
    const stream: CommandStream = { interrupted: false };
    await turns.inTurn(stream, COMMANDS, async () => [refused('too_many_attributes', null), RECORDED]);
    expect(stream.interrupted).toBe(false);
  });
});
