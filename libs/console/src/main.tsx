import { render } from 'preact';
import { App } from './app.tsx';
import './styles/console.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
