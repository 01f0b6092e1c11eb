// as: libs/domain/points/src/canary.ts
// breaks: @nx/enforce-module-boundaries: relative
import '../../streaks/src/index.ts';
