// as: libs/domain/points/src/rules/canary.ts
// breaks: words/names: say range
export interface AwardSpan {
  readonly from: number;
}
