// as: libs/api/runtime/src/canary.ts
// breaks: @nx/enforce-module-boundaries: can only depend on libs tagged with "kind:pure", "kind:kernel", "kind:port", "kind:schema", "kind:platform"
import '@laurel/event-store';
