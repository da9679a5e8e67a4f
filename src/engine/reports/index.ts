/**
 * Reports: runs in, one format out, and the plain words that all of them share. Nothing here decides anything: verdicts,
 * states and figures are taken from the run as they stand.
 */
export { jsonReport } from './json.ts';
export { junitReport } from './junit.ts';
