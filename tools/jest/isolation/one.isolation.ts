import { changeEverything } from './change-everything.ts';

describe('a test file beside another one', changeEverything);
