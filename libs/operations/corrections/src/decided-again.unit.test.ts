import { ACCOUNT, type CorrectionRecorded, type CommandResult, type RecordMetricEvent } from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';
import { clockAt, HISTORY_CONFIGURATION, lesson, startEngine } from '@laurel/testing/histories';
import { parseDocument } from '@laurel/configuration';
import { USER_AREAS } from '@laurel/all-areas';

const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');
const NOW = Date.parse('2026-03-10T12:00:00Z');

/** What ada has once an event of hers is retracted. @param arm told the position when another event was recorded while her events were read */
async function retracted(areas: readonly AnyUserArea[], arm: (position: number) => void) {
  const { engine, store } = await startEngine(
    clockAt(() => NOW),
    {},
    areas,
  );
  await engine.publishConfiguration(ACCOUNT, document);
  const event: RecordMetricEvent = lesson('ada');
  const [first] = (await engine.submit([event, event])) as readonly Extract<CommandResult, { kind: 'recorded' }>[];
  if (first === undefined) throw new Error('nothing was recorded');
  const { position, eventId } = first;
  let waitingBytes = 0;
  const reading = store.positionsOf.bind(store);
  store.positionsOf = async (...asked) => {
    store.positionsOf = (...again) => {
      waitingBytes = engine.status().waitingBytes;
      return reading(...again);
    };
    const positions = await reading(...asked);
    const [third] = (await engine.submit([event])) as readonly Extract<CommandResult, { kind: 'recorded' }>[];
    arm(third?.position ?? 0);
    return positions;
  };
  const correction: CorrectionRecorded = {
    type: 'CorrectionRecorded',
    subject: event.subject,
    achievements: 'recompute',
    finalRuns: 'keep',
    corrections: [{ position, eventId, retract: true }],
    preview: 'p',
    keyHash: null,
  };
  const { kind } = await engine.correct(ACCOUNT, correction);
  await engine.close();
  return { kind, documents: store.documents, waitingBytes };
}

describe('a waiting correction', () => {
  it('takes up queue capacity for the memory of its folds', async () => {
    const { waitingBytes, documents } = await retracted(USER_AREAS, () => undefined);
    const [document] = [...documents.values()];
    // Two folds, of which each holds the states and the rows of a day.
    expect(waitingBytes).toBeGreaterThan(2 * String(document).length);
  });
});

describe('a correction that is decided a second time', () => {
  it('counts an event at which its folds failed the first time', async () => {
    const whole = await retracted(USER_AREAS, () => undefined);
    expect(whole.kind).toBe('recorded');
    let failsAt = 0;
    const failing = USER_AREAS.map((area): AnyUserArea => {
      if (area.name !== 'points') return area;
      return {
        ...area,
        apply: (state, occasion, ...asked) => {
          if (occasion.position === failsAt) {
            failsAt = 0;
            throw new Error('out of order');
          }
          return area.apply(state, occasion, ...asked);
        },
      };
    });
    const again = await retracted(failing, (position) => (failsAt = position));
    expect(failsAt).toBe(0);
    expect(again).toEqual(whole);
  });
});
