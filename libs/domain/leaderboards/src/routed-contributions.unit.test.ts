import { parseDay } from '@laurel/calendar';
import { contributionsByPartition, receivedContributions } from '@laurel/contributions';
import type { Contributions } from '@laurel/kernel';
import { configurationOf, metricBoard } from './testing/configuration.ts';
import { metricEvent, swept, whole } from './testing/messages.ts';

const monthly = metricBoard('monthly', { run: { unit: 'month', interval: 1 } });
const configuration = configurationOf([metricBoard('all'), monthly]);
const FIRST = parseDay('2026-01-01');

function only(message: Parameters<typeof contributionsByPartition>[0]): Contributions {
  const [contributions] = contributionsByPartition(message, configuration, () => 0).values();
  return contributions as Contributions;
}

describe('the contributions of a message', () => {
  const event = metricEvent({ position: 4, value: whole(2) });

  it('name runs by board number and first day, from which the receiver finds the same runs', () => {
    const sent = only(event);
    expect(sent.changes.map(({ board, run, change }) => [board, run, change])).toEqual([
      [1, FIRST, 2_000_000],
      [2, FIRST, 2_000_000],
    ]);
    expect(receivedContributions(sent, configuration).map(({ run }) => [run.key.board, run.start])).toEqual([
      ['all', '2026-01-01'],
      ['monthly', '2026-01-01'],
    ]);
  });

  it('are sent to the partition of each board, in the order of partitions', () => {
    const routed = contributionsByPartition(event, configuration, (board) => (board === 'all' ? 7 : 2));
    expect([...routed].map(([partition, { changes }]) => [partition, changes.map(({ board }) => board)])).toEqual([
      [2, [2]],
      [7, [1]],
    ]);
  });

  it('are empty for an event that changes no board', () => {
    expect(contributionsByPartition(swept({ position: 4 }), configuration, () => 0).size).toBe(0);
  });

  it('are refused if they name a board or run that the version does not have', () => {
    const sent = only(event);
    const [change] = sent.changes;
    const changedTo = (fields: object): Contributions => ({ ...sent, changes: [{ ...change, ...fields } as never] });
    expect(() => receivedContributions(changedTo({ board: 3 }), configuration)).toThrow('no run of board 3');
    expect(() => receivedContributions(changedTo({ board: 2, run: FIRST + 1 }), configuration)).toThrow(
      `no run of board 2 that begins on day ${FIRST + 1}`,
    );
  });
});
