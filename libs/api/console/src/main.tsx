import { options, render } from 'preact';
import { BASE_PATH } from './api/base-path.ts';
import { App } from './app.tsx';
import './styles/console.css';

/** Pages write addresses relative to the root of this service. */
const prepare = options.vnode;
options.vnode = (vnode) => {
  const link = vnode.props as { href?: unknown };
  if (vnode.type === 'a' && typeof link.href === 'string' && link.href.startsWith('/'))
    link.href = BASE_PATH + link.href;
  prepare?.(vnode);
};

const root = document.getElementById('console');
const { pathname, search, hash } = location;
// The page was requested without the base path that a proxy adds.
if (!pathname.startsWith(`${BASE_PATH}/`)) location.replace(BASE_PATH + pathname + search + hash);
else if (root !== null) render(<App />, root);
