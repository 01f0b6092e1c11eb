// as: libs/api/ingestion/src/canary.ts
// breaks: @nx/enforce-module-boundaries: can only depend on libs tagged with
import '@laurel/points';
