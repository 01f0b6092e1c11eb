import { useSources } from './use-sources.ts';

describe('a test file that uses sources of libraries', useSources);
