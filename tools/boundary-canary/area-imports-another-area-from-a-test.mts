// as: libs/domain/points/src/canary.unit.test.ts
// breaks: @nx/enforce-module-boundaries: can only depend on libs tagged with
import '@laurel/leaderboards';
