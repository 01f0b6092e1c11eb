// as: libs/engine/src/partitioned/canary.ts
// breaks: no-restricted-imports: two drivers of the engine
import '../single-writer/batch.ts';
