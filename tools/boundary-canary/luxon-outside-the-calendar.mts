// as: libs/domain/streaks/src/canary.ts
// breaks: no-restricted-imports: luxon stays in there
import 'luxon';
