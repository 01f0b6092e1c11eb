/**
 * @param node a function in the syntax tree of ESLint, or the method that holds it
 * @returns {string} `name`, `Class.method`, `callback of call`, or `anonymous`
 */
export function functionName(node) {
  if (node.id) return node.id.name;
  const { parent } = node;
  for (const holder of [node, parent]) {
    if (isMember(holder)) return memberName(holder);
    if (holder.type === 'Property') return textOf(holder.key);
  }
  if (parent.type === 'VariableDeclarator') return textOf(parent.id);
  if (parent.type === 'TSTypeAliasDeclaration') return parent.id.name;
  if (parent.type === 'CallExpression' && parent.callee !== node) return `callback of ${textOf(parent.callee)}`;
  return 'anonymous';
}

const isMember = ({ type }) => type === 'MethodDefinition' || type === 'PropertyDefinition';

const memberName = ({ key, parent }) => `${parent.parent.id?.name ?? 'anonymous'}.${textOf(key)}`;

function textOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'PrivateIdentifier':
      return `#${node.name}`;
    case 'Literal':
      return String(node.value);
    case 'MemberExpression':
      return textOf(node.property);
    default:
      return 'anonymous';
  }
}
