import { LIMITS } from '../ceilings/limits.mjs';

/**
 * @param {Awaited<ReturnType<typeof import('./measure.mjs').measure>>} measured
 * @param {{ verbose: boolean }} options `verbose`: lists the counted items below each figure
 * @returns {string} a line for each figure
 */
export function textOf(measured, { verbose }) {
  const lines = figuresOf(measured).flatMap(({ figure, of, list }) => [
    `${String(figure).padStart(7)}  ${of}`,
    ...(verbose ? list.map((item) => `           ${item}`) : []),
  ]);
  return lines.join('\n');
}

/** Each figure has a `list`: the items that it counts, or the parts that it consists of. */
function figuresOf({ eventPath, folds, mutualFolders, exports, sizes }) {
  const listed = (of, list) => ({ figure: list.length, of, list });
  return [
    listed(
      `types of this project named in the ${eventPath.files.length} files of the path of an event`,
      eventPath.types.names,
    ),
    listed(`files that fold a user (calls of ${folds.name})`, folds.files),
    listed('pairs of folders of one package that import each other both ways', mutualFolders),
    ...exportFigures(exports),
    ...sizeFigures(sizes),
  ];
}

function exportFigures({ byLibrary, importedNowhere, declaredTwice }) {
  const libraries = Object.entries(byLibrary).sort(([, one], [, other]) => other - one);
  const all = libraries.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...['@laurel/contracts', '@laurel/kernel']
      .filter((name) => name in byLibrary)
      .map((name) => ({ figure: byLibrary[name], of: `names exported by ${name}`, list: [] })),
    { figure: all, of: 'names exported by all libraries', list: libraries.map(([name, count]) => `${name} ${count}`) },
    { figure: importedNowhere.length, of: 'of them imported by nothing outside their library', list: importedNowhere },
    { figure: declaredTwice.length, of: 'of them declared differently by several libraries', list: declaredTwice },
  ];
}

function sizeFigures({ codeLines, lines, functions, parameters, spreads }) {
  const text = ({ path, name, number }) => `${number} ${path}${name === undefined ? '' : `: ${name}`}`;
  const listed = (of, list) => ({ figure: list.length, of, list: list.map(text) });
  const literals = spreads.reduce((sum, { number }) => sum + number, 0);
  const { parameters: most, parametersInRules: mostInRules } = LIMITS;
  return [
    listed(`files over ${LIMITS.lines} lines of code`, lines),
    listed(`functions over ${LIMITS.functions} lines of code, components of the console left out`, functions),
    listed(
      `functions with more than ${most} positional parameters, ${mostInRules} in rules/, Nest constructors left out`,
      parameters,
    ),
    { figure: literals, of: 'object literals that are spread', list: spreads.map(text) },
    { figure: codeLines.handWritten, of: 'hand-written lines of code of libraries and apps', list: [] },
    { figure: codeLines.generated, of: 'generated lines of code', list: [] },
  ];
}
