export const AT_RISK_AT = '18:00';
export const RECAP_AT = '09:00';
export const REACTIVATION_DAYS = [3, 7, 30];
