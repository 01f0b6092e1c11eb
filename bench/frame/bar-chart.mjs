const WIDTH = 760;
const LEFT = 250;
const RIGHT = 90;
const ROW = 26;
const BAR = 18;
const HEAD = 64;
const GROUP_HEAD = 34;

/**
 * Horizontal bars in groups, as SVG. Each group has a scale of its own; the first bar is the one that is compared.
 *
 * @param {{ title: string, subtitle: string, groups: readonly { title: string, bars: readonly { title: string, value: number }[] }[] }} chart
 */
export function barChart({ title, subtitle, groups }) {
  let y = HEAD;
  const drawn = groups.map((group) => {
    const text = groupAt(y, group);
    y += GROUP_HEAD + group.bars.length * ROW;
    return text;
  });
  const height = y + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .small { font-size: 11px; fill: #59636e; }
  .group { font-weight: 600; }
  .bar { fill: #8c959f; }
  .first { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) { text { fill: #f0f6fc; } .small { fill: #9198a1; } .bar { fill: #656c76; } .first { fill: #3fb950; } }
</style>
<text class="title" x="12" y="26">${escaped(title)}</text>
<text class="small" x="12" y="46">${escaped(subtitle)}</text>
${drawn.join('\n')}
</svg>
`;
}

function groupAt(top, { title, bars }) {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map((bar, place) => rowAt(top + GROUP_HEAD + place * ROW, bar, most, place === 0));
  return [`<text class="group" x="12" y="${top + 20}">${escaped(title)}</text>`, ...rows].join('\n');
}

function rowAt(y, { title, value }, most, first) {
  const length = Math.max(1, Math.round(((WIDTH - LEFT - RIGHT) * value) / most));
  const baseline = y + BAR - 4;
  return [
    `<text x="${LEFT - 8}" y="${baseline}" text-anchor="end">${escaped(title)}</text>`,
    `<rect class="${first ? 'first' : 'bar'}" x="${LEFT}" y="${y}" width="${length}" height="${BAR}" rx="2"/>`,
    `<text x="${LEFT + length + 6}" y="${baseline}">${Math.round(value).toLocaleString('en')}</text>`,
  ].join('\n');
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
