const WIDTH = 120;
const HEIGHT = 24;

/** A small curve next to a number. It repeats data that the page also shows elsewhere. */
export function Spark({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const x = (place: number) => (WIDTH * place) / Math.max(1, values.length - 1);
  const y = (value: number) => 2 + ((HEIGHT - 4) * (most - Math.max(0, value))) / most;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} class="spark" aria-hidden="true">
      <polyline points={values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />
    </svg>
  );
}
