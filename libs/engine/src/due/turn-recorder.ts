import { BoostRecorder, type BoostRecorderDependencies } from './boost-recorder.ts';
import { RunRecorder, type RunRecorderDependencies } from './run-recorder.ts';

/** Records what begins and ends by itself: runs of leaderboards, and boosts. */
export type TurnRecorder = Pick<RunRecorder, 'recordDue' | 'forget'>;

export function turnRecorder(dependencies: RunRecorderDependencies & BoostRecorderDependencies): TurnRecorder {
  const recorders = [new RunRecorder(dependencies), new BoostRecorder(dependencies)];
  return {
    async recordDue(account) {
      for (const recorder of recorders) await recorder.recordDue(account);
    },
    forget() {
      for (const recorder of recorders) recorder.forget();
    },
  };
}
