/** Half away from zero, by the decimal as it is written. */
export function millionthsOf(value) {
  if (Number.isInteger(value)) return value * 1_000_000;
  const text = Math.abs(value).toString();
  const [digits, exponent = '0'] = text.split('e');
  const [whole, fraction = ''] = digits.split('.');
  const places = Number(exponent) + 6;
  const all = whole + fraction.padEnd(Math.max(0, places), '0');
  const point = whole.length + places;
  const rounded = point < 0 ? 0 : Number(all.slice(0, point)) + (all[point] >= '5' ? 1 : 0);
  return value < 0 ? -rounded : rounded;
}

export const numberOf = (millionths) => millionths / 1_000_000;
