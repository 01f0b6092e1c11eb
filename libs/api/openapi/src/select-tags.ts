import type { Tag } from '@laurel/schemas';
import type { OpenApiDocument } from './openapi-document.ts';

type Components = OpenApiDocument['components'];

/** The operations that have one of these tags, the webhooks with the tag Webhooks, and the components that they use. */
export function selectTags(document: OpenApiDocument, tags: ReadonlySet<Tag>): OpenApiDocument {
  const has = (tag: string): boolean => tags.has(tag as Tag);
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, operations]) => {
        const selected = Object.entries(operations).filter(([, operation]) => operation.tags.some(has));
        return [path, Object.fromEntries(selected)] as const;
      })
      .filter(([, operations]) => Object.keys(operations).length > 0),
  );
  const webhooks = has('Webhooks') ? document.webhooks : {};
  const used = usedComponents({ paths, webhooks }, document.components);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, named]) => [
      kind,
      // Operations name security schemes without a reference.
      kind === 'securitySchemes' ? named : pick(named, (name) => used.has(`#/components/${kind}/${name}`)),
    ]),
  ) as Components;
  return { ...document, tags: document.tags.filter(({ name }) => has(name)), paths, webhooks, components };
}

const pick = <Value>(named: Readonly<Record<string, Value>>, isPicked: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(named).filter(([name]) => isPicked(name)));

/** The components that a value refers to, directly or through other components. */
function usedComponents(value: unknown, components: Components): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    for (const [key, inner] of Object.entries(one)) {
      if (key !== '$ref' || typeof inner !== 'string') visit(inner);
      else if (!used.has(inner)) {
        used.add(inner);
        const [, , kind = '', name = ''] = inner.split('/');
        visit(components[kind]?.[name]);
      }
    }
  };
  visit(value);
  return used;
}
