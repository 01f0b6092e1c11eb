/** Names that pages must show as text; the last two have the maximum length. */
export const HOSTILE_NAMES: readonly string[] = [
  '<img src=x onerror="document.title=1">',
  '"><script>document.title=1</script>',
  `' onmouseover=document.title=1 x='`,
  'javascript:document.title=1',
  '<style>*{display:none}</style>',
  '<meta http-equiv=refresh content="0;url=https://elsewhere.example">',
  '<iframe src="https://elsewhere.example"></iframe>',
  '{{constructor.constructor("document.title=1")()}}',
  'https://elsewhere.example/x.png',
  '\u202Egnp.tfel ot thgir\u202D \u2067isolated\u2069',
  '__proto__',
  '100%',
  '%zz',
  'a%2Fb',
  'a/b',
  'many words '.repeat(24).slice(0, 254) + '.',
  'x'.repeat(255),
];

/** Hostile texts for fields of up to a thousand characters. */
export const HOSTILE_NOTES: readonly string[] = [...HOSTILE_NAMES, 'y'.repeat(1_000)];

/** A configuration in which every name is hostile. Keys are `m0`, `a0`, `b0` … in the order of the names. */
export const HOSTILE_CONFIGURATION = JSON.stringify({
  version: 1,
  metrics: HOSTILE_NAMES.map((name, n) => ({ key: `m${n}`, name })),
  streak: { frequency: 'daily', conditions: [{ metric: 'm0', threshold: 1 }] },
  achievements: HOSTILE_NAMES.map((name, n) => ({
    ...{ key: `a${n}`, name, description: name, badgeUrl: 'https://elsewhere.example/badge.png' },
    ...{ group: 'g'.repeat(64), tier: n },
    trigger: { type: 'metric', metric: 'm0', value: n + 1 },
  })),
  points: HOSTILE_NAMES.map((name, n) => ({
    ...{ key: `p${n}`, name, description: name, badgeUrl: 'https://elsewhere.example/badge.png' },
    triggers: [{ type: 'metric', metric: 'm0', threshold: 1, points: 1 }],
    levels: n > 0 ? [] : HOSTILE_NAMES.map((level, m) => ({ key: `l${m}`, name: level, points: m + 1 })),
  })),
  leaderboards: HOSTILE_NAMES.map((name, n) => ({
    ...{ key: `b${n}`, name, description: name, rankBy: 'metric', metric: 'm0', start: '2020-01-01' },
  })),
});
