/**
 * Reports: runs in, one format out, and the plain words that all of them share. Nothing here decides anything: verdicts,
 * states and figures are taken from the run as they stand.
 */
export { inlineJson } from './inline.ts';
export { describeCheck, describeDifference, describeDiscrepancy } from './text.ts';
export { visible, visibleLine } from './visible.ts';
