/** Shared by all empty lists. */
export const NO_NUMBERS = new Uint32Array(0);

/**
 * Returns the array if it is long enough, otherwise a longer copy. Grows by a quarter; doubling would leave up to half
 * of it unused.
 */
export function withLength<Numbers extends Uint32Array | Float64Array>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers;
  const Longer = numbers.constructor as new (length: number) => Numbers;
  const longer = new Longer(Math.max(length, numbers.length + (numbers.length >> 2) + 16));
  longer.set(numbers);
  return longer;
}
