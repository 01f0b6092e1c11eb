// as: libs/domain/streaks/src/rules/canary.ts
// breaks: no-restricted-globals: Unexpected use of 'process'
export const zone = process.env['TZ'];
