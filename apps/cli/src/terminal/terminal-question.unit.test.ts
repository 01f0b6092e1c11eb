import { PassThrough } from 'node:stream';
import { InterruptedError } from '../command-error.ts';
import { isConfirmed } from './terminal-question.ts';

function ask(interrupted = new AbortController().signal) {
  const input = new PassThrough();
  const stderr = new PassThrough();
  const answer = isConfirmed('Publish it?', { isTerminal: true, input }, { stderr, interrupted });
  return { input, answer, asked: () => String(stderr.read()) };
}

describe('a question on the terminal', () => {
  it.each(['y', 'Y', 'yes', ' YES '])('is confirmed by %p', async (line) => {
    const { input, answer, asked } = ask();
    input.write(`${line}\n`);
    await expect(answer).resolves.toBe(true);
    expect(asked()).toBe('Publish it? [y/N] ');
  });

  it.each(['', 'n', 'no', 'yellow', 'oh yes'])('is not confirmed by %p', async (line) => {
    const { input, answer } = ask();
    input.write(`${line}\n`);
    await expect(answer).resolves.toBe(false);
  });

  it('is not confirmed by the end of the input', async () => {
    const { input, answer } = ask();
    input.end();
    await expect(answer).resolves.toBe(false);
  });

  it('is cancelled by Ctrl-C', async () => {
    const controller = new AbortController();
    const { answer } = ask(controller.signal);
    controller.abort();
    await expect(answer).rejects.toThrow(InterruptedError);
    await expect(ask(controller.signal).answer).rejects.toThrow(InterruptedError);
  });
});
