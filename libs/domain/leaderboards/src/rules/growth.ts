/** Shared by all that hold nothing yet. */
export const NO_NUMBERS = new Uint32Array(0);

/** The array if it is that long, else a longer copy. It grows by a quarter: doubled, it would be half empty at times. */
export function withLength<Numbers extends Uint32Array | Float64Array>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers;
  const Longer = numbers.constructor as new (length: number) => Numbers;
  const longer = new Longer(Math.max(length, numbers.length + (numbers.length >> 2) + 16));
  longer.set(numbers);
  return longer;
}
