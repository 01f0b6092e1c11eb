// as: libs/api/runtime/src/canary.ts
// breaks: @nx/enforce-module-boundaries: can only depend on libs tagged with "kind:pure", "kind:contract", "kind:platform"
import '@laurel/event-store';
