import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import { partsOf, textRangeOf, syntaxErrors } from './places.ts';
import { configurationSchema } from './schema.ts';
import { suggestionsAt } from './suggestions.ts';

/** A problem of a field, as reported by the service. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The operations of the editor that the page uses. */
export interface EditorHandle {
  /** Moves the cursor to a field. */
  readonly goTo: (path: string) => void;
}

interface EditorProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly problems: readonly Problem[];
  readonly label: string;
  readonly describedBy: string;
  readonly handle: { current: EditorHandle | null };
}

/**
 * A YAML editor with completion and inline errors. It is in a shadow root, where CodeMirror adopts style sheets; in the
 * document it would write a `style` element, which the security policy forbids.
 */
export function Editor({ value, onInput, problems, label, describedBy, handle }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const tell = useRef(onInput);
  tell.current = onInput;
  /**
   * Texts that the page was given and has not returned yet. It returns each as `value`, perhaps after more was typed.
   */
  const underWay = useRef<readonly string[]>([]);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const told = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      const text = state.doc.toString();
      underWay.current = [...underWay.current, text];
      tell.current(text);
    });
    const attributes = EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': describedBy,
      tabindex: '0',
      spellcheck: 'false',
    });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: value, extensions: [EXTENSIONS, told, attributes] }),
    });
    view.current = made;
    handle.current = { goTo: (path) => goTo(made, path) };
    return () => {
      made.destroy();
      view.current = null;
      handle.current = null;
    };
  }, []);
  useEffect(() => {
    const { current } = view;
    const place = underWay.current.indexOf(value);
    underWay.current = underWay.current.slice(place + 1);
    if (current === null || place >= 0 || current.state.doc.toString() === value) return;
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: value },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
    underWay.current = [];
  }, [value]);
  useEffect(() => {
    const { current } = view;
    if (current === null) return;
    current.dispatch({ effects: setProblems.of(diagnosticsOf(current.state.doc.toString(), problems)) });
    forceLinting(current);
  }, [problems]);
  return <div ref={host} class="code" />;
}

function goTo(view: EditorView, path: string): void {
  const { from } = rangeOfProblem(view.state.doc.toString(), path);
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  view.focus();
}

const rangeOfProblem = (text: string, path: string) => textRangeOf(text, partsOf(path.replace(/^text\.?/, '')) ?? []);

const diagnosticsOf = (text: string, problems: readonly Problem[]): readonly Diagnostic[] =>
  problems
    .filter(({ path }) => path.startsWith('text.'))
    .map(({ path, message }) => ({ ...rangeOfProblem(text, path), severity: 'error', message }));

const setProblems = StateEffect.define<readonly Diagnostic[]>();

/** Problems found by the service. Each stays until its place is edited. */
const found = StateField.define<readonly Diagnostic[]>({
  create: () => [],
  update: (problems, { effects, docChanged, changes }) => {
    const set = effects.find((effect) => effect.is(setProblems));
    if (set) return set.value as readonly Diagnostic[];
    if (!docChanged) return problems;
    return problems
      .filter(({ from, to }) => !changes.touchesRange(from, to))
      .map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }));
  },
});

const check = linter(
  ({ state }) => [
    ...syntaxErrors(state.doc.toString()).map((error) => ({ ...error, severity: 'error' as const })),
    ...state.field(found),
  ],
  {
    delay: 300,
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(setProblems))),
  },
);

const WORD = /[\w-]*/;

function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(WORD);
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && (word === null || word.from === word.to) && before !== ' ') return null;
  const from = word?.from ?? context.pos;
  const text = context.state.doc.toString();
  const rest = WORD.exec(text.slice(context.pos))?.[0] ?? '';
  const suggestions = suggestionsAt(text, from, context.pos + rest.length, configurationSchema);
  if (suggestions.length === 0) return null;
  const options = suggestions.map(({ label, kind, about, isRequired }): Completion => ({
    label,
    type: kind === 'field' ? 'property' : 'enum',
    ...(about !== '' && { info: about }),
    ...(isRequired && { detail: 'required', boost: 1 }),
    ...(kind === 'field' && !text.slice(context.pos + rest.length).startsWith(':') && { apply: `${label}: ` }),
  }));
  return { from, options, validFor: /^[\w-]*$/ };
}

/** Tab indents. After Escape, it leaves the editor as usual, until the editor is entered again. */
const leaving = [
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        view.setTabFocusMode(true);
        return true;
      },
    },
  ]),
  EditorView.domEventHandlers({
    blur: (_event, view) => {
      view.setTabFocusMode(false);
    },
  }),
];

/** When a browser itself replaces a selection, it writes inline styles, which the security policy forbids. */
const replacing = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== 'insertText' || event.data === null || view.composing) return false;
    if (view.state.selection.ranges.every(({ empty }) => empty)) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

const THEME = EditorView.theme({
  '&': {
    height: '36rem',
    border: '1px solid var(--field-line)',
    borderRadius: '0.375rem',
    background: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--soft)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '0.375rem',
    background: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: '0 0.25rem 1rem rgb(0 0 0 / 20%)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--soft)',
    color: 'var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionInfo': { padding: '0.5rem 0.75rem', maxWidth: '20rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
});

const EXTENSIONS = [
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  yaml(),
  syntaxHighlighting(COLOURS),
  found,
  check,
  lintGutter(),
  autocompletion({ override: [complete], icons: false }),
  keymap.of([
    ...completionKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key }) => key !== 'Escape'),
  ]),
  leaving,
  replacing,
  keymap.of([indentWithTab]),
  THEME,
];
