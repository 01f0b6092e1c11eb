// breaks: TS2591
export const zone = process.env['TZ'];
