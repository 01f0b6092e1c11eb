// as: libs/domain/streaks/src/canary.ts
// breaks: @nx/enforce-module-boundaries: can only depend on libs tagged with
import '@laurel/runtime';
