import type { OutgoingMessage } from '@laurel/event-stream';
import { EffectsSender, MOST_ON_THEIR_WAY } from './effects-sender.ts';

describe('the effects sender', () => {
  let ends: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[];
  let lost: unknown[];
  let sender: EffectsSender;
  beforeEach(() => {
    [ends, lost] = [[], []];
    const send = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
    sender = new EffectsSender({ send }, (error) => lost.push(error));
  });

  const effect = (length: number): OutgoingMessage => ({
    topic: 't',
    partition: 0,
    key: '',
    value: 'x'.repeat(length),
    headers: {},
  });
  const [third, tooLong] = [effect(MOST_ON_THEIR_WAY / 3), effect(MOST_ON_THEIR_WAY + 1)];

  it('drops effects while too many bytes are in flight, and sends again once some have arrived', async () => {
    for (let n = 0; n < 5; n++) sender.send([third]);
    expect([ends.length, lost.length]).toEqual([3, 2]);
    ends[0]?.resolve();
    ends[1]?.reject(new Error('no broker'));
    await new Promise((resolve) => setImmediate(resolve));
    sender.send([third]);
    expect([ends.length, lost.length]).toEqual([4, 3]);
  });

  it('sends an effect longer than the limit only by itself', () => {
    sender.send([tooLong]);
    sender.send([third]);
    expect([ends.length, lost.length]).toEqual([1, 1]);
  });

  it('waits until everything in flight has arrived or failed', async () => {
    sender.send([third]);
    let isIdle = false;
    const idle = sender.idle().then(() => (isIdle = true));
    expect(isIdle).toBe(false);
    ends[0]?.reject(new Error('no broker'));
    await idle;
    expect(lost).toHaveLength(1);
  });
});
