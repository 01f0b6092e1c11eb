// as: libs/domain/streaks/src/rules/canary.ts
// breaks: no-restricted-imports: Rules and pure libraries import only themselves
import 'pg';
