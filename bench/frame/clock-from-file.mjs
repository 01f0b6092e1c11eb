// Loaded before a program (`node --import`), it makes the program's clock stand at the instant that a file holds: all candidates
// of the check see the same instants, and days pass at once. Never loaded where time is measured.
import { readFileSync } from 'node:fs';

const file = process.env.BENCH_CLOCK_FILE;
Date.now = () => Number(readFileSync(file, 'utf8'));
