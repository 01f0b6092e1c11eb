import { inTurns } from '../frame/laurels.mjs';
import { importInto } from '../frame/run-import.mjs';

/** A history over HTTP, with keys, by the command that users run; then once more, which must record nothing. */
export function importing(options) {
  return inTurns(options, async (name, history, candidates) => {
    const service = await candidates.start(name);
    const fresh = importInto(service, history, 'recorded');
    const again = importInto(service, history, 'known');
    await service.stop();
    console.log(`${name}: fresh ${Math.round(fresh.rate)}/s, the same file again ${Math.round(again.rate)}/s`);
    return { value: fresh.rate, cpu: fresh.microseconds };
  });
}
